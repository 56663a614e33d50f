/* SPDX-License-Identifier: Apache-2.0
 * What spread arrays do not allow. */
//! flags: -fsyntax-only -fmax-errors=0
//! 28: error: bound
//! 29: error: ::
//! 30: error: ::
//! 31: error: initiali
//! 32: error: spread
//! 33: error: return
//! 34: error: void
//! 35: error: incomplete
//! 36: error: negative
//! 37: error: integer
//! 42: error: subscript
//! 43: error: subscript
//! 44: error: assign
//! 45: error: member
//! 46: error: increment
//! 47: error: jump
//! 55: error: bounds of the static spread array 'first'
//! 56: error: bounds of the static
//! 59: error: variably modified 'inside' at file scope
//! 60: error: static assertion is not constant
//! 62: error: 'vector_size' in a declaration
//! 63: error: 'vector_size'
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
int __attribute__((vector_size(16))) of_vectors[PROCS]::;
int __attribute__((vector_size(16))) *global to_vector;
