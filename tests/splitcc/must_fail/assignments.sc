/* SPDX-License-Identifier: Apache-2.0
 * What := and :- do not allow. */
//! 28: error: void
//! 29: error: void
//! 30: error: void
//! 31: error: void
//! 35: error: lvalue
//! 36: error: lvalue
//! 37: error: array
//! 38: error: read-only
//! 39: error: incompatible
//! 40: error: incompatible
//! 41: error: incompatible
//! 42: error: incompatible
//! 43: error: incompatible
//! 44: error: expected
//! 45: error: expected
#include <split-c/split-c.h>

struct pair { int a, b; } pair_cell, *global p;
struct other { int a, b; } other_cell;
int *global g, i, array[3];
const int fixed;

int get_value(void) { return 0; }

int uses(void) {
  i = (i := *g);
  if (i := *g) i++;
  i := g[0] := 3;
  return i := *g;
}

void targets(void) {
  3 := *g;
  get_value() :- 4;
  array := g;
  fixed := *g;
  pair_cell := *g;
  i := *p;
  *p := other_cell;
  *p :- 5;
  *g := pair_cell;
  *g :- ;
  := *g;
  i = get_value;
}
