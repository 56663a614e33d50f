/* SPDX-License-Identifier: Apache-2.0
 * Expressions whose types do not fit. */
//! flags: -fsyntax-only -fmax-errors=0
//! 43: error: incompatible
//! 44: error: incompatible
//! 45: error: incompatible
//! 46: error: +
//! 47: error: ==
//! 48: error: %
//! 49: error: <<
//! 50: error: bit-complement
//! 51: error: +
//! 52: error: void
//! 53: error: few
//! 54: error: many
//! 55: error: incompatible
//! 56: error: incompatible
//! 57: error: assign
//! 58: error: lvalue
//! 59: error: b
//! 60: error: ->
//! 61: error: member
//! 62: error: call
//! 63: error: lvalue
//! 64: error: convers
//! 65: error: convers
//! 66: error: convert
//! 67: error: incomplete
//! 68: error: lvalue
//! 69: error: *
//! 70: error: register_variable
//! 71: error: incompatible
struct one { int a; } x;
struct two { int a; } y;
union either { int a; } z;
int i, array[4], *p;
double d;
void nothing(void);
int takes_two(int a, double b);
struct one takes_record(struct one a);

int body(void) {
  x = y;
  i = x;
  x = 3;
  i = x + 1;
  i = x == y;
  i = d % 2;
  i = d << 1;
  i = ~d;
  i = p + p;
  i = nothing();
  i = takes_two(1);
  i = takes_two(1, 2, 3);
  i = takes_two(x, 1);
  takes_record(1);
  array = p;
  takes_two = 0;
  i = x.b;
  i = x->a;
  i = p.a;
  i();
  (i + 1)++;
  i = (struct one)y;
  x = (struct one)5;
  p = (int *)d;
  i = sizeof(struct none);
  3 = i;
  i = *d;
  i = &register_variable;
  return x;
}
