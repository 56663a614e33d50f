/* SPDX-License-Identifier: Apache-2.0
 * What C99 makes a block without braces: if, switch, loops, and what they govern. */
//! 10: error: invalid application of 'sizeof' to incomplete type 'struct governed'
//! 13: error: invalid application of 'sizeof' to incomplete type 'struct in_if'
//! 13: error: invalid application of 'sizeof' to incomplete type 'struct in_while'
//! 13: error: invalid application of 'sizeof' to incomplete type 'struct in_for'
//! 14: error: invalid application of 'sizeof' to incomplete type 'struct body'
int use(int n) {
  if (sizeof(struct in_if { int a; }) > 2) n = sizeof(struct governed { int b; });
  else n = sizeof(struct governed);
  while (n < (int)sizeof(struct in_while { int c; })) n++;
  for (; n < (int)sizeof(struct in_for { int d; }); n++) n += sizeof(struct body { int e; });
  n += sizeof(struct in_if) + sizeof(struct in_while) + sizeof(struct in_for);
  return n + sizeof(struct body);
}
