/* SPDX-License-Identifier: Apache-2.0 */
#include <ramjet/splitc.h>

double area(double radius) { return 3.14159265358979 * radius * radius; }

/* `int *global` of Split-C is splitc_global in C: the same 64 bits. */
int remote_sum(splitc_global from, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) sum += splitc_read_int32(splitc_global_add(from, i, sizeof(int)));
  return sum;
}
