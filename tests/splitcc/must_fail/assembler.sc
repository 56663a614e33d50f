/* SPDX-License-Identifier: Apache-2.0
 * asm: its operands are expressions of C, its outputs are local. */
//! 14: error: expected string literal before ')' token
//! 15: error: expected '(' before numeric constant
//! 16: error: 'missing' undeclared
//! 17: error: the output of an asm statement must be a local lvalue
//! 18: error: expected string literal before 'n'
//! 19: error: expected ':' or ')' before string constant
//! 20: error: expected ':' or ')' before ';' token
//! 23: error: expected string literal before numeric constant
#include <split-c/split-c.h>
void body(int n, int *global g) {
  __asm__ volatile("nop" :: "r"(n) : "memory");
  asm();
  asm("nop" : "=r" 3);
  asm("nop" :: "r"(missing));
  asm("nop" : "=r"(*g));
  asm("nop" : n);
  asm("nop" "nop" :: "r"(n) "memory");
  asm("nop" ;
  asm("nop" : : "r"(*g));
}
asm(3);
asm("nop");
