/* SPDX-License-Identifier: Apache-2.0
 * Plain C, compiled by splitcc -x splitc. */
int wait_in_c(const int *from);

int wait_in_c(const int *from)
{
  const volatile int *p = from;
  while (*p == 0);
  return *p;
}
