/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int numbers[6] = {0, 10, 20, 30, 40, 50};

splitc_main()
{
  int *global g = toglobal(PROCS - 1, numbers);
  int *global end = g + 6;                    /* further on, on the same processor */
  int sum = 0;

  while (g != end) sum += *g++;
  g -= 2;
  on_one {
    printf("sum %d, g[0] %d, g[-1] %d, %d elements to the end\n", sum, *g, g[-1],
           (int)(end - g));
    printf("%s, %s\n", g < end ? "before" : "behind", g ? "not null" : "null");
  }
}
