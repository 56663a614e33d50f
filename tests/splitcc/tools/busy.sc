/* SPDX-License-Identifier: Apache-2.0
 * Most of its time goes by in one line. */
#include <split-c/split-c.h>
#include <stdio.h>

double A[1000]::;

double work(int rounds)
{
  double sum = 0;
  int i;
  while (rounds-- > 0)
    for (i = 0; i < 1000; i++)
      sum += A[i] / (1 + i);
  return sum;
}

splitc_main()
{
  double sum = work(5000);
  on_one printf("%g\n", sum);
}
