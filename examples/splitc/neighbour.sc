/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int letter_box;                               /* each processor has its own */

splitc_main()
{
  int right = (MYPROC + 1) % PROCS;
  int *global there = toglobal(right, &letter_box);

  *there = 100 + MYPROC;                      /* a write to the memory of another processor */
  barrier();

  on_one {
    int p;
    for (p = 0; p < PROCS; p++)               /* and reads */
      printf("processor %d has a letter from %d\n", p, *toglobal(p, &letter_box) - 100);
  }
}
