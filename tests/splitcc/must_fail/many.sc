/* SPDX-License-Identifier: Apache-2.0
 * -fmax-errors stops after that many. */
//! flags: -fsyntax-only -fmax-errors=2
//! 6: error: one
//! 7: error: two
int a = one;
int b = two;
int c = three;
int d = four;
