/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int A[12]::;

splitc_main()
{
  int i, value;
  on_one {
    for (i = 0; i < 12; i++) {
      value = i * i;
      A[i] := value;                          /* taken now: value may change at once */
    }
    sync();                                   /* here all have arrived */
  }
  barrier();                                  /* and here the others know it */
  on_proc(PROCS - 1) printf("%d %d %d\n", A[0], A[1], A[11]);
}
