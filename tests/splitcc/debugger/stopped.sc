/* SPDX-License-Identifier: Apache-2.0
 * A program with global and spread pointers of all sorts in one frame, for gdb_test.py. */
#include <split-c/split-c.h>

struct body {
  double mass;
  struct body *global next;
  int *spread row[2];
};

int numbers[4] = {10, 20, 30, 40};
struct body bodies[2];
double A[6]::[3];
struct body B[5]::;

static void stop_here(int *global g, double (*spread s)[3], struct body *global b,
                      int *global *global pp, char *spread nothing) {
  barrier();
}

static int bounds_known_here(int n) {
  int W[n]::, V[n]::[2], own = n + 1;
  W[MYPROC] = 70 + MYPROC;
  V[MYPROC][1] = 80 + MYPROC;
  barrier();
  return own;
}

splitc_main() {
  int *global g = toglobal(MYPROC, &numbers[2]);
  struct body *global b = &bodies[1];
  int *global *global pp = &g;
  b->mass = 1.5;
  b->next = b;
  b->row[1] = (int *spread)toglobal(MYPROC, numbers);
  A[MYPROC][1] = 2.25;
  B[MYPROC].mass = 4.5;
  B[MYPROC].next = b;
  stop_here(g, A + MYPROC, b, pp, 0);
  bounds_known_here(3);
}
