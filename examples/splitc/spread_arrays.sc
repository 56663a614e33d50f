/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int A[10]::;                                  /* 10 elements */
int B[3]::[4];                                /* 3 blocks of 4 */
int C[2][3]::[2][2];                          /* 6 blocks of 2 x 2 */
double mine[PROCS]::, plain[5];               /* one each; and an array of C */

splitc_main()
{
  int i, j;

  for_my_1d(i, 10) A[i] = i;
  for_my_1d(i, 3)
    for (j = 0; j < 4; j++) B[i][j] = 10 * i + j;
  for_my_2d(i, j, 2, 3) C[i][j][1][0] = 100 * i + j;
  mine[MYPROC] = 0.5 * MYPROC;
  barrier();

  on_one {
    printf("A[7]       is on %d: %d\n", toproc(A + 7), A[7]);
    printf("B[2]       is on %d: %d %d\n", toproc(B + 2), B[2][0], B[2][3]);
    printf("C[1][2]    is on %d: %d\n", toproc(&C[1][2]), C[1][2][1][0]);
    printf("mine[%d]    is on %d: %.1f\n", PROCS - 1, toproc(mine + PROCS - 1), mine[PROCS - 1]);
    printf("a block of B has %lu bytes\n", sizeof B[0]);
  }
}
