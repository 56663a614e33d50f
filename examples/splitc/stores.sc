/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

#define N 100

int message[N];

splitc_main()
{
  int right = (MYPROC + 1) % PROCS, i, sum = 0;
  int *global there = toglobal(right, message);

  for (i = 0; i < N; i++) there[i] :- MYPROC + i;
  store_sync(sizeof message);                 /* as many bytes have landed here */

  for (i = 0; i < N; i++) sum += message[i];
  sum = all_reduce_to_all_add(sum);
  on_one printf("%d\n", sum - PROCS * (PROCS - 1) / 2 * N == PROCS * N * (N - 1) / 2);
}
