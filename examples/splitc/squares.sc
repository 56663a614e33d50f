/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

splitc_main()
{
  int n = 100, i, sum = 0;
  int A[n]::;                                 /* element i is on processor i mod PROCS */

  for (i = MYPROC; i < n; i += PROCS) A[i] = i * i;
  sum = 0;
  for (i = MYPROC; i < n; i += PROCS) sum += A[i];
  sum = all_reduce_to_all_add(sum);

  on_one printf("the sum is %d, and A[99] is %d\n", sum, A[99]);
}
