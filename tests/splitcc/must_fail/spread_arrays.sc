/* SPDX-License-Identifier: Apache-2.0
 * What spread arrays do not allow. */
//! 21: error: bound
//! 22: error: ::
//! 23: error: ::
//! 24: error: initiali
//! 25: error: spread
//! 26: error: return
//! 27: error: void
//! 28: error: incomplete
//! 29: error: negative
//! 30: error: integer
//! 35: error: subscript
//! 36: error: subscript
//! 37: error: assign
//! 38: error: member
//! 39: error: increment
//! 40: error: jump
#include <split-c/split-c.h>

int no_bounds[]::;
int nothing:: ;
int twice[2]::[3]::[4];
int set[PROCS]:: = {1, 2};
struct holder { int inside[2]::; };
int returns(void)[PROCS]::;
void of_void[PROCS]::;
struct unknown of_unknown[PROCS]::;
int negative[-1]::;
int real[2.5]::;
int A[PROCS]::, B[PROCS]::[4];

void subscripts(int n) {
  int i;
  i = A[0][1];
  i = B[0][1][2];
  B[0] = B[1];
  i = A.member;
  A++;
  if (n) goto inside;
  {
    int automatic[n]::;
  inside:
    i = automatic[0];
  }
}
