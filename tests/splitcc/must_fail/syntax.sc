/* SPDX-License-Identifier: Apache-2.0
 * Syntax errors: each is reported once, where it is, and the next statement is read again. */
//! 21: error: expected
//! 23: error: expected
//! 25: error: expected
//! 26: error: expected
//! 28: error: expected
//! 29: error: expected
//! 30: error: expected
//! 31: error: expected
//! 32: error: else
//! 34: error: expected
//! 35: error: expected
//! 36: error: @
//! 40: error: expected
//! 45: error: expected
//! 46: error: missing_one
int a, b;

int first(void) {
  a = 1
  b = 2;
  a = (1 + 2;
  b = 3;
  a = 4 4;
  if a b = 1;
  b = 5;
  for (a = 1; a < 3, a++) b++;
  a = b[;
  do a++; while a;
  a = ;
  else b = 1;
  b = 6;
  a = b +* ;
  int x y;
  a = @;
  return a;
}

int second( {
  return 1;
}

int third(void) { return 3; }
int fourth[;
int fifth(void) { return missing_one; }
