/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int answer;

splitc_main()
{
  answer = 40 + MYPROC;
  barrier();
  if (MYPROC != 0) return;                    /* its memory can still be read */
  printf("%d\n", *toglobal(PROCS - 1, &answer));
}
