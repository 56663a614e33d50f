/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

#define N 12

int A[N]::[N], B[N]::[N];                     /* a row is a block: whole on one processor */

splitc_main()
{
  int i, j, wrong = 0;

  for_my_1d(i, N)
    for (j = 0; j < N; j++) A[i][j] = 100 * i + j;

  for_my_1d(i, N)
    for (j = 0; j < N; j++) B[j][i] :- A[i][j];
  all_store_sync();                           /* whatever anyone stored has landed */

  for_my_1d(i, N)
    for (j = 0; j < N; j++) wrong += B[i][j] != 100 * j + i;
  wrong = all_reduce_to_one_add(wrong);
  on_one printf("row 3 begins with %d %d %d; %d are wrong\n", B[3][0], B[3][1], B[3][2], wrong);
}
