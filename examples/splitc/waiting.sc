/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int numbers[1000];

splitc_main()
{
  int here[1000], *global far = toglobal((MYPROC + 1) % PROCS, numbers), polls = 0, i;

  for (i = 0; i < 1000; i++) numbers[i] = i;
  barrier();                                  /* all are here; others are served meanwhile */
  bulk_get(here, far, sizeof here);
  while (!is_sync()) polls++;                 /* work could be done here */
  sync();
  on_one printf("%d %d\n", here[999], polls >= 0);
}
