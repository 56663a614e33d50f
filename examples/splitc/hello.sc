/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

splitc_main()
{
  printf("processor %d of %d\n", MYPROC, PROCS);
}
