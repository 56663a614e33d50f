/* SPDX-License-Identifier: Apache-2.0
 * One mistake, one message: what follows it is read as if nothing had been. */
//! 17: error: expected ';' before 'b'
//! 20: error: expected ')' before ';' token
//! 22: error: expected expression before ')' token
//! 24: error: expected '=', ',', ';', 'asm' or '__attribute__' before 'y'
//! 26: error: expected '}' before numeric constant
//! 28: error: expected expression before ';' token
//! 30: error: expected ',' or ';' before 'z'
//! 32: error: expected ']' before ';' token
//! 35: error: expected identifier or '(' before '}' token
//! 38: error: expected '=', ',', ';', 'asm' or '__attribute__' before 'int'
//! 43: error: expected expression before '}' token
//! 46: error: expected declaration specifiers or '...' before '+' token
int a, b;
int first(int n) {
  a = 1 b = 2;
  b = 2;
  while (n-- > 0) {
    b = (a + n;
  }
  for (a = 1; a < b; a += ) { b++; }
  b = 2;
  int x y;
  b = 2;
  int list[] = {1, 2 3, 4}, after = 2;
  b = after + list[0];
  b = 2 * ;
  b = 2;
  int u = 3 z;
  b = u;
  b = list[0;
  return b + x;
}
}
int second(void) { return 2; }

int third(int n) int m; {
  return n;
}
int fourth(void) {
  struct pair { int left, right; } p = {1, 2};
  { b = p.left + }
  return p.right;
}
int fifth(+) {
  return 1;
}
int sixth(void) { return second() + fourth(); }
