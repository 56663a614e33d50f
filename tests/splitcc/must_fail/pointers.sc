/* SPDX-License-Identifier: Apache-2.0
 * What global and spread pointers do not allow. */
//! flags: -fsyntax-only -fmax-errors=0
//! 49: error: +
//! 50: error: *
//! 51: error: &
//! 52: error: unary minus
//! 53: error: bit-complement
//! 54: error: <<
//! 55: error: %
//! 56: error: +
//! 57: error: +
//! 58: error: -
//! 59: error: -
//! 60: error: subscript
//! 61: error: subscript
//! 66: error: &
//! 67: error: &
//! 68: error: bit-field
//! 69: error: void
//! 70: error: unknown
//! 71: error: unknown
//! 72: error: missing
//! 73: error: whole
//! 74: error: whole
//! 75: error: read-only
//! 76: error: read-only
//! 77: error: call
//! 78: error: *
//! 79: error: *
//! 80: error: lvalue
//! 81: error: assign
//! 82: error: 'MYPROC' is a value of the library
//! 83: error: PROCS
#include <split-c/split-c.h>

struct unknown;
struct fields { int low : 3, whole; };
int *global g, *global h;
int *spread s;
double *global d;
void *global v;
struct unknown *global u;
struct fields *global f;
const int *global c;
int i, A[PROCS]::;

void operators(void) {
  g = g + h;
  g = g * 2;
  i = s & 1;
  i = -g;
  i = ~s;
  s <<= 1;
  i = g % 3;
  g += h;
  g = g + 1.5;
  i = 3 - g;
  i = g - d;
  i = s[g];
  i = g[1.5];
  g++;
}

void places(void) {
  int *global *p = &3;
  g = &(i + 1);
  g = (int *global)&f->low;
  *v = 1;
  i = u->member;
  u++;
  i = f->missing;
  i = g->whole;
  i = (*g).whole;
  *c = 1;
  c[2]++;
  g() ;
  i = **g;
  *i = 2;
  &A[0] = s;
  A = s;
  i = *&MYPROC;
  { const int *p = &PROCS; }
}
