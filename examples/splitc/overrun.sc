/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <split-c/split-c.h>

splitc_main()
{
  int *table = malloc(10 * sizeof(int)), i;
  for (i = 0; i <= 10; i++)
    table[i] = i;                             /* one too many */
  on_one printf("%d\n", table[9]);
}
