/* SPDX-License-Identifier: Apache-2.0
 * Counted loops over shared memory do what is written, whatever the passes make of them. */
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
}

splitc_main() {
  bounds();
  DONE;
}
