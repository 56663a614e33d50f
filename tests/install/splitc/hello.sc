/* SPDX-License-Identifier: Apache-2.0 */
#include <split-c/split-c.h>
#include <stdio.h>

static int ranks[PROCS]::;

splitc_main()
{
  int *global left = (int *global)&ranks[(MYPROC + 1) % PROCS];
  *left = (MYPROC + 1) % PROCS;
  barrier();
  printf("rank %d of %d\n", ranks[MYPROC], PROCS);
}
