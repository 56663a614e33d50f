/* SPDX-License-Identifier: Apache-2.0
 * Expressions of the language whose operands do not fit. */
//! flags: -fsyntax-only -fmax-errors=0
//! 54: error: tolocal() takes a pointer
//! 55: error: too few arguments to function 'tolocal'
//! 56: error: too many arguments to function 'toglobal'
//! 57: error: names no block
//! 58: error: 2 more subscripts are needed
//! 59: error: no address of its own
//! 60: error: works on local memory
//! 61: error: atomic() takes a function
//! 62: error: atomic() takes a global pointer
//! 63: error: incompatible type for argument 1 of 'bulk_read'
//! 64: error: cast specifies array type
//! 65: error: cannot convert to a pointer type
//! 66: error: pointer value used where a floating-point was expected
//! 67: error: conversion to non-scalar type requested
//! 68: error: type mismatch in conditional expression
//! 69: error: used struct type value where scalar is required
//! 70: error: wrong type argument to unary exclamation mark
//! 71: error: void value not ignored
//! 72: error: assignment of read-only location '*c'
//! 73: error: increment of read-only member 'fixed'
//! 74: error: assignment of member 'a' in read-only object
//! 75: error: 'cast_me' undeclared
//! 76: error: is not compatible with any association
//! 77: error: is not an integer constant
//! 78: error: has no member named 'nowhere'
//! 79: error: to a bit-field
//! 80: error: to incomplete type 'struct unknown'
//! 81: error: invalid suffix
//! 82: error: invalid digit
//! 83: error: invalid suffix
//! 84: error: is a pointer; did you mean to use '->'
//! 85: error: void value not ignored
//! 86: error: expected expression before 'word'
//! 87: error: decrement of read-only location '*q'
//! 88: error: invalid operands to binary <
//! 89: error: invalid operands to binary +
#include <split-c/split-c.h>

struct pair { int a, b; const int fixed; int low : 3; } pair_cell;
struct unknown;
struct two { int a, b; } two_cell;
typedef int word;
int *global g, *global h, i, *p, A[PROCS]::, B[4][PROCS][2]::[3];
struct pair *global q;
const struct pair *global r;
const int *global c;
double d;
void nothing(void);

void body(void) {
  p = tolocal(1.5);
  p = tolocal();
  g = toglobal(1, p, 2);
  A[0] = B[1][0];
  A[0] = *B[1];
  p = &A;
  __atomic_fetch_add(g, 1, 5);
  atomic(3, g);
  atomic(nothing, 3);
  bulk_read(pair_cell, g, 4);
  (int[2])g;
  g = (int *global)d;
  d = (double)g;
  two_cell = (struct two)*g;
  g = i ? g : pair_cell;
  if (*q) i = 1;
  i = !*q;
  *g = nothing();
  *c = 3;
  q->fixed++;
  r->a = 3;
  i = cast_me + 1;
  i = _Generic(g, int *: 1, int *spread: 2);
  i = __builtin_choose_expr(i, 1, 2);
  i = __builtin_offsetof(struct pair, nowhere);
  i = sizeof q->low;
  i = sizeof(struct unknown);
  i = 12abc;
  i = 089;
  d = 1.5zz;
  i = q.a;
  i = *(nothing(), g) + (nothing(), nothing());
  i = word + 1;
  (*q)--;
  i = *q < 3;
  g = g + *q;
}
