/* SPDX-License-Identifier: Apache-2.0
 * Names that programs own: the header defines none of them, and programs may define their own
 * gathers. Here each is a function, a variable, a macro or a type of the program. */
#include <split-c/split-c.h>
#include <stdio.h>
#include <stdlib.h>

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) min(a, b)
#define TRUE 1
#define FALSE 0
#define assert_malloc(p, n) \
  if (((p) = malloc(n)) == NULL) exit(1)

typedef struct { double start, total; } timer;
typedef int bool, boolean, byte;
enum { read_it, write_it, get, put, store, bulk, proc };

int partition[8], t, log, offset, block, blocks, count, rank, procs, ranks, lock, segment;
double y0, y1, j0, gamma, index_of;
timer timers[2], time_it;

int *spread assert_spread_malloc(int n, int bytes) {
  int *spread s = all_spread_malloc(n, bytes);
  if (s == NULL) exit(1);
  return s;
}
int log2(int n) {
  int l = 0;
  while (n > 1) n /= 2, l++;
  return l;
}
double now() { return get_seconds(); }
int local(int global) { return global + 1; }
int wait(int n) { return n; }
int request(void) { return 1; }
int reply(void) { return 2; }
int fetch(int *global g) { return *g; }
int pipe(int a) { return a; }
int splitc(int splitc_local) { return splitc_local; }
void swap(int *a, int *b) {
  int c = *a;
  *a = *b;
  *b = c;
}
/* The library's are weak. */
void all_gather(int *v) { v[0] = 4321; }
int all_bcast_count;

#define WRONG(condition)                                                         \
  do {                                                                           \
    if (!(condition)) {                                                          \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
      exit(1);                                                                   \
    }                                                                            \
  } while (0)

splitc_main() {
  int left = 3, right = 4, v[64], *p, sync_count = 0, bulk_read_count = 1;
  int *spread s = assert_spread_malloc(PROCS, sizeof(int));
  assert_malloc(p, 40);
  *p = log2(1024);
  WRONG(*p == 10);
  WRONG(min(left, right) == 3 && max(left, right) == 4 && MIN(left, 1) == 1);
  swap(&left, &right);
  WRONG(left == 4 && local(7) == 8 && wait(3) + request() + reply() + pipe(1) + splitc(2) == 9);
  t = partition[1] + offset + block + blocks + count + rank + procs + ranks + lock + segment + log;
  timers[0].start = now() + y0 + y1 + j0 + gamma + index_of + time_it.total;
  s[MYPROC] = t + put;
  barrier();
  WRONG(fetch(s) == put);
  all_gather(v);
  WRONG(v[0] == 4321);
  WRONG(sync_count + bulk_read_count + all_bcast_count == 1);
  barrier();
  free(p);
  all_spread_free(s);
  on_one printf("ok own_names.sc\n");
}
