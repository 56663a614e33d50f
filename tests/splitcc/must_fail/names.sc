/* SPDX-License-Identifier: Apache-2.0
 * Names: not declared, declared twice, of another kind. */
//! 23: error: twice
//! 25: error: function
//! 27: error: word
//! 29: error: tag
//! 30: error: tag
//! 31: error: same
//! 32: error: one
//! 33: error: incomplete
//! 34: error: void
//! 36: error: defined
//! 38: error: both_linkages
//! 41: error: parameter
//! 43: error: local
//! 44: error: not_declared
//! 46: error: not_a_type
//! 47: error: word
//! 48: error: expected
//! 49: error: nowhere
//! 51: error: here
int twice;
int *twice;
double function(int a) { return a; }
int function(int a) { return a; }
typedef int word;
int word;
struct tag { int a; };
struct tag { int b; };
union tag *wrong_kind;
struct { int same, same; } members;
enum { one, two, one };
struct incomplete object;
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
  other = word;
  word = 3;
  goto nowhere;
here:
here:
  other++;
}
