/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int min(int a, int b) { return a < b ? a : b; }     /* no header takes these names */
double timer;

/* The library has one, too. Here it is this. */
int all_reduce_to_all_max(int value)
{
  return 1000 + value;
}

splitc_main()
{
  timer = get_seconds();
  on_one printf("%d %d %d\n", min(3, 4), all_reduce_to_all_max(1), timer >= 0);
}
