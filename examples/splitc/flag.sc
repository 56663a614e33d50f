/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int data, ready;

splitc_main()
{
  int *global there = toglobal(0, &data), *global flag = toglobal(0, &ready);

  on_proc(PROCS - 1) {
    *there = 42;                              /* nobody sees the flag before the data */
    *flag = 1;
  }
  on_one {
    while (*flag == 0);                       /* serves the others meanwhile */
    printf("%d\n", *there);
  }
}
