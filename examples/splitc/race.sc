/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int total;

splitc_main()
{
  int *global sum = toglobal(0, &total);

  on_one total = 1;                           /* no barrier() behind it */
  on_proc(1) *sum = 2;
  barrier();
}
