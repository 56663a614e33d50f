/* SPDX-License-Identifier: Apache-2.0
 * A processor is dropped without a check: by assignment, argument, return; not by casts. */
//! 12: warning: processor
//! 16: warning: processor
//! 18: warning: processor
#include <split-c/split-c.h>
int *global g;
int *spread s;
int *p, A[PROCS]::;
void takes(int *local);
int *gives(void) {
  p = g;
  p = (int *)g;
  p = (int *)(s + MYPROC);
  p = tolocal(g);
  takes(s);
  takes((int *)s);
  return s + 1;
}
