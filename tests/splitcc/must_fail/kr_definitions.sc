/* SPDX-License-Identifier: Apache-2.0
 * K&R definitions, and definitions inside of functions. */
//! 10: error: declaration for parameter 'c' but no such parameter
//! 13: error: redefinition of parameter 'a'
//! 16: error: parameter 'a' is initialized
//! 20: error: nested functions are not supported: 'inner' is defined inside 'outer'
//! 24: error: redefinition of parameter 'a'
//! 27: error: parameter 'p' has incomplete type
//! 28: error: return type is an incomplete type
int first(a, b) int a; char c; { return a + b; }

int second(a, b)
  int a, a;
{ return a + b; }

int third(a) int a = 3; { return a; }

int outer(n) int n; {
  int before = 1;
  int inner(int k) { int deep(void) { return 1; } return k; }
  return n + before;
}

int fourth(int a, int a) { return a; }

struct unknown;
int fifth(struct unknown p) { return 1; }
struct unknown sixth(void) { for (;;) continue; }
int last(void) { return outer(1) + third(2); }
