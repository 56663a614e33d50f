/* SPDX-License-Identifier: Apache-2.0
 * A processor that returns from splitc_main early keeps serving others' accesses until all have
 * returned, and its memory stays. */
#include "check.h"

int A[PROCS]::[8], *spread allocated;

static void use(void) {
  int i, p, round;
  for (round = 0; round < 20; round++)
    for (p = 0; p < PROCS; p++)
      for (i = 0; i < 8; i++) {
        CHECK_INT(A[p][i], mark(p, i));
        CHECK_INT(allocated[p + i * PROCS], mark(p, i + 50));
        A[p][i] := mark(p, i);
      }
  sync();
}

splitc_main() {
  int i, automatic[PROCS]::[8];
#ifdef __SPLITC_CHECK__ /* which reports what cannot be freed: not all processors are there */
  static int taken[8 * PROCS]::;
  allocated = taken;
#else
  allocated = all_spread_malloc(8 * PROCS, sizeof(int));
#endif
  for (i = 0; i < 8; i++) {
    A[MYPROC][i] = mark(MYPROC, i);
    automatic[MYPROC][i] = mark(MYPROC, i + 90);
    ((int *)allocated)[i] = mark(MYPROC, i + 50);
  }
  barrier();
  if (MYPROC != PROCS - 1) return 7;
  use();
  for (i = 0; i < PROCS; i++) CHECK_INT(automatic[i][7], mark(i, 97));
  printf("ok early_return.sc\n");
}
