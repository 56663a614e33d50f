/* SPDX-License-Identifier: Apache-2.0
 * What spread arrays do not allow. */
//! 25: error: bound
//! 26: error: ::
//! 27: error: ::
//! 28: error: initiali
//! 29: error: spread
//! 30: error: return
//! 31: error: void
//! 32: error: incomplete
//! 33: error: negative
//! 34: error: integer
//! 39: error: subscript
//! 40: error: subscript
//! 41: error: assign
//! 42: error: member
//! 43: error: increment
//! 44: error: jump
//! 52: error: bounds of the static spread array 'first'
//! 53: error: bounds of the static
//! 56: error: variably modified 'inside' at file scope
//! 57: error: static assertion is not constant
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
void bounds_of_a_call(int n) {
  static int first[n]::;
  int m = 3; static int block[PROCS]::[2 * m];
  static int known[2 * PROCS]::[PROCS];
}
struct of_run_time { int inside[PROCS]; };
_Static_assert(PROCS > 2, "more");
_Static_assert(_Generic(PROCS, int: 1), "an int");
