/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

#define N 4000

double A[N]::, total;
int words[16];

splitc_main()
{
  int i, *global there = toglobal(PROCS - 1, words);
  double sum = 0;

  for (i = MYPROC; i < N; i += PROCS) A[i] = i * 0.5;
  for (i = MYPROC; i < N; i += PROCS) sum += A[i];
  total = all_reduce_to_all_dadd(sum);

  on_one {
    for (i = 0; i < 16; i++) there[i] := i;
    sync();
    printf("%.1f %d\n", total, there[15]);
  }
}
