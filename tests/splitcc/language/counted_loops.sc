/* SPDX-License-Identifier: Apache-2.0
 * Counted loops over shared memory do what is written, whatever the passes make of them. */
#include <unistd.h>

#include "check.h"

static int count_of(int *spread S, int n, int value) {
  int i, count = 0;
  for (i = 0; i < n; i++) count += S[i] == value;
  return count;
}

/* A bound binds as it is written, beside <= too. */
static void bounds(void) {
  int A[64]::, n = 20, i;
  for (i = MYPROC; i < 64; i += PROCS) A[i] = 0;
  for (i = MYPROC; i <= n >> 1; i += PROCS) A[i] = 1;
  barrier();
  CHECK_INT(count_of(A, 64, 1), 11);
  barrier();
  for (i = MYPROC; i <= 1 << 3; i += PROCS) A[i] = 2;
  barrier();
  CHECK_INT(count_of(A, 64, 2), 9);
  barrier();
  for (i = MYPROC; i < n >> 2; i += PROCS) A[i] = 3;
  barrier();
  CHECK_INT(count_of(A, 64, 3), 5);
  barrier();
}

/* The bound is the index of a loop within. */
static void changing_bound(void) {
  int A[64]::, B[64]::, bound = 64, i, rounds = 0;
  for (i = MYPROC; i < bound; i += PROCS) {
    A[i] = ++rounds;
    for (bound = MYPROC; bound < 1; bound += PROCS) B[bound] = 1;
  }
  CHECK_INT(rounds, 1);
  CHECK_INT(A[MYPROC], 1);
  barrier();
}

#define LINKS 200
static int values[LINKS];
static int *global from[LINKS];

/* A round reads what one before it wrote: by the pointer that is read, or for the address. */
static void rounds_in_order(void) {
  int path[LINKS + 1], *p = path, total = 0, i;
  int *global g = toglobal(NEXT, values);
  values[0] = 0;
  for (i = 1; i < LINKS; i++) from[i] = toglobal(MYPROC, &values[i - 1]);
  for (i = 1; i < LINKS; i++) values[i] = *from[i] + 1;
  CHECK_INT(values[LINKS - 1], LINKS - 1);
  barrier();
  path[0] = 0;
  for (i = 0; i < LINKS; i++) p[i + 1] = g[(path[i] + 7) % LINKS];
  CHECK_INT(path[LINKS], 7 * LINKS % LINKS);
  CHECK_INT(path[2], 14);
  barrier();
  for (i = 0; i < LINKS; i++) from[i] = i % 2 ? toglobal(NEXT, &values[i]) : &total;
  for (i = 0; i < 6; i++) total += *from[i] + 1;
  CHECK_INT(total, 29);
  barrier();
}

#define PATIENCE (1L << 34)
static WAITED_FOR int flags[8];

/* What a loop within waits for may come while it waits. */
static void waiting_within(void) {
  WAITED_FOR int A[PROCS]::, *global g = toglobal(0, flags);
  long tries = 0;
  int i;
  A[MYPROC] = 0;
  barrier();
  if (MYPROC == 1) {
    usleep(20000);
    A[0] = 1;
    usleep(20000);
    g[3] = 1;
  }
  if (MYPROC == 0 && PROCS > 1) {
    for (i = MYPROC; i < 1; i += PROCS)
      while (A[i] == 0)
        if (++tries > PATIENCE) break;
    for (i = 3; i < 4; i++)
      while (g[i] == 0)
        if (++tries > PATIENCE) break;
    CHECK(tries <= PATIENCE);
  }
  barrier();
}

splitc_main() {
  waiting_within();
  bounds();
  changing_bound();
  rounds_in_order();
  DONE;
}
