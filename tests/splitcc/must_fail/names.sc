/* SPDX-License-Identifier: Apache-2.0
 * Names: not declared, declared twice, of another kind. */
//! 22: error: twice
//! 24: error: function
//! 26: error: word
//! 28: error: tag
//! 29: error: tag
//! 30: error: same
//! 31: error: one
//! 32: error: void
//! 34: error: defined
//! 36: error: both_linkages
//! 39: error: parameter
//! 41: error: local
//! 42: error: not_declared
//! 44: error: not_a_type
//! 45: error: kind
//! 46: error: expected
//! 47: error: nowhere
//! 49: error: here
int twice;
int *twice;
double function(int a) { return a; }
int function(int a) { return a; }
typedef int word, kind;
int word;
struct tag { int a; };
struct tag { int b; };
union tag *wrong_kind;
struct { int same, same; } members;
enum { one, two, one };
void nothing;
static int defined = 1;
static int defined = 2;
int both_linkages;
static int both_linkages;

void body(int parameter) {
  int parameter;
  int local, other;
  double local;
  other = not_declared;
  other = not_declared + 1;
  not_a_type x;
  other = kind;
  kind = 3;
  goto nowhere;
here:
here:
  other++;
}
