/* SPDX-License-Identifier: Apache-2.0
 * What global and spread pointers do not allow. */
//! flags: -fsyntax-only -fmax-errors=0
//! 47: error: +
//! 48: error: *
//! 49: error: &
//! 50: error: unary minus
//! 51: error: bit-complement
//! 52: error: <<
//! 53: error: %
//! 54: error: +
//! 55: error: +
//! 56: error: -
//! 57: error: -
//! 58: error: subscript
//! 59: error: subscript
//! 64: error: &
//! 65: error: &
//! 66: error: bit-field
//! 67: error: void
//! 68: error: unknown
//! 69: error: unknown
//! 70: error: missing
//! 71: error: whole
//! 72: error: whole
//! 73: error: read-only
//! 74: error: read-only
//! 75: error: call
//! 76: error: *
//! 77: error: *
//! 78: error: lvalue
//! 79: error: assign
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
}
