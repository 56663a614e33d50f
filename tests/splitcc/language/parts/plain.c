/* SPDX-License-Identifier: Apache-2.0
 * A unit of plain C, for several_units.sc: compiled by the C compiler as it is. */
int in_plain_c(void* pointer, int n) {
  int* p = pointer;
  return p[n];
}
int a_function_of_c(int (*callback)(int), int n) { return callback(n) + 1; }
