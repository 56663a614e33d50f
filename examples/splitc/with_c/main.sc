/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

double area(double radius);                   /* in C */
int cpp_length(const char *text);             /* in C++ */
int remote_sum(int *global from, int n);      /* in C, with a global pointer */

int numbers[4];

splitc_main()
{
  int i;
  for (i = 0; i < 4; i++) numbers[i] = 10 * MYPROC + i;
  barrier();
  on_one {
    printf("%.2f, %d\n", area(2), cpp_length("four"));
    printf("%d\n", remote_sum(toglobal(PROCS - 1, numbers), 4));
  }
  barrier();
}
