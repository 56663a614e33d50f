/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int counter, flag, greatest;

splitc_main()
{
  int *global c = toglobal(0, &counter), *global g = toglobal(0, &greatest);
  int i, old, first = 0, mine = (7 * MYPROC + 3) % PROCS;

  for (i = 0; i < 1000; i++) fetch_and_add(c, 1);
  if (test_and_set(toglobal(0, &flag)) == 0) first = 1;    /* of one processor only */
  for (old = *g; old < mine; old = *g)                     /* the greatest that is seen */
    if (cmp_and_swap(g, old, mine) == old) break;
  barrier();
  first = all_reduce_to_one_add(first);
  on_one {
    printf("%d, %d first, greatest %d\n", counter == 1000 * PROCS, first, greatest);
    printf("%d ", exchange(g, -1));           /* what was there */
    printf("%d\n", greatest);
  }
}
