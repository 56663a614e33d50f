/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>
#include <split-c/control.h>

int visits, by_last;
int grid[4][5]::;

splitc_main()
{
  int i, j;

  on_one visits++;
  on_proc(PROCS - 1) {
    by_last = MYPROC;
  }
  for_my_1d(i, 10) visits++;                  /* i = MYPROC, MYPROC + PROCS, ... */
  for_my_2d(i, j, 4, 5) grid[i][j] = MYPROC;  /* the pairs, dealt out by rows */
  visits = all_reduce_to_one_add(visits);
  by_last = all_reduce_to_one_add(by_last);
  on_one {
    printf("%d visits, %s\n", visits, by_last == PROCS - 1 ? "one by the last" : "?");
    for (i = 0; i < 4; i++, printf("\n"))
      for (j = 0; j < 5; j++) printf("%d", grid[i][j]);
    if (PROCSLOG >= 0) printf("%d processors are 2 to the %d\n", PROCS, PROCSLOG);
  }
}
