/* SPDX-License-Identifier: Apache-2.0
 * A program with global and spread pointers of all sorts in one frame, for gdb_test.py. */
#include <split-c/split-c.h>

struct body {
  double mass;
  struct body *global next;
};

int numbers[4] = {10, 20, 30, 40};
struct body bodies[2];
double A[6]::[3];

static void stop_here(int *global g, double (*spread s)[3], struct body *global b,
                      int *global *global pp, char *spread nothing) {
  barrier();
}

splitc_main() {
  int *global g = toglobal(MYPROC, &numbers[2]);
  struct body *global b = &bodies[1];
  int *global *global pp = &g;
  b->mass = 1.5;
  b->next = b;
  A[MYPROC][1] = 2.25;
  stop_here(g, A + MYPROC, b, pp, 0);
}
