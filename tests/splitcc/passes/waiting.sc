/* Loops that only wait for what others write: they poll. Others pay nothing. */
#include <split-c/split-c.h>

typedef struct item {
  int key;
  volatile int state;
  struct item *next;
} item;

static int word;
volatile int signals;
_Atomic int counter;
int A[PROCS]::;
int table[64];
int next(void);

int waits(int *p, int *global g, item *box, int limit)
{
  int seen, spins = 0, done = 0, i;
  while (*p == 0); /* [poll-loops] */
  while (!signals) { /* [poll-loops] */
  }
  while (!counter) continue; /* [poll-loops] */
  do spins++; /* [poll-loops] */
  while (word < limit);
  for (;;) /* [poll-loops] */
    if (*g) break;
  while ((seen = box->state) == 0); /* [poll-loops] */
  while (A[MYPROC] != seen); /* [poll-loops] */
  while (!done) /* [poll-loops] */
    if (table[3]) done = 1;
  while (word == 0) /* [poll-loops] */
    for (i = 0; i < 100; i++) spins += i;
  while (*p == 0) /* [poll-loops] */
    while (p[1] == 0); /* [poll-loops] */
  while (!__atomic_load_n(p, __ATOMIC_ACQUIRE)); /* [poll-loops] */
  for (seen = *p; seen == 0; seen = *p); /* [poll-loops] */
  for (;;) { /* [poll-loops] */
    int now = *p, before = now + 1;
    if (before == 7) return spins;
    switch (now) {
      case 5:
        goto out;
    }
  }
out:
  return word;
}

/* What they carry from turn to turn ends these; or they change something, or call. */
int do_not_wait(int *p, int *global g, item *list, const char *text, int n)
{
  int i, sum = 0, low = 0, high = n, here = 0;
  volatile int delay;
  for (i = 0; i < n; i++) sum += p[i];
  for (i = 0; i < 1000 && *p == 0; i++);
  while (*text++);
  while (list && list->key != n) list = list->next;
  while (low < high) {
    int middle = (low + high) / 2;
    if (p[middle] < n)
      low = middle + 1;
    else
      high = middle;
  }
  while (*p == 0)
    if (++sum > 1000) break;
  while (!here) {
    if (*p) here = 1;
    if (sum++ > 1000) here = 2;
  }
  while (*p == 0) next();
  while (*p == 0) splitc_poll();
  while (*p == 0) *g = 1;
  while (*p == 0) p[1] = 1;
  while (*p == 0) word++;
  for (delay = 0; delay < 1000; delay++);
  while (table[i]) i = (i + 1) & 63;
  while (sum < word) sum += sum + 1;
  while (n) n = n >> 1;
  while (*p == 0) {
    if (n) goto again;
  again:
    n = 0;
  }
  for (;;)
    if (n == 0) break;
/* The pragma wants its loop right behind it. */
#pragma GCC unroll 4
  while (*p == 0);
#pragma GCC unroll 4
  for (i = MYPROC; i < PROCS; i += PROCS) A[i] = 1;
  return sum + here;
}
