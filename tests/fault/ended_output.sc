/* SPDX-License-Identifier: Apache-2.0 */
/* As ended_output.cpp: the last rank reads address 0. */
#include <split-c/split-c.h>
#include <stdio.h>

splitc_main() {
  printf("rank %d: whole\n", MYPROC);
  printf("rank %d: half", MYPROC);
  barrier();
  if (MYPROC == PROCS - 1) *(volatile int*)0 = 1;
  barrier();
}
