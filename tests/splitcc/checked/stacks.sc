/* SPDX-License-Identifier: Apache-2.0
 * A barrier while one processor has an automatic spread array more. */
//! processors: 2 3 2x2 2x4
//! report: {in_one} barrier\(\): automatic spread arrays take \d+ bytes of processor 0, 0 of processor 1
//! note: {array} the latest of processor 0 is declared here
#include <split-c/split-c.h>

splitc_main()
{
  if (MYPROC == 0) {
    int A[PROCS]::; /* array */
    A[0] = 1;
    barrier(); /* in_one */
  } else {
    barrier();
  }
  barrier();
}
