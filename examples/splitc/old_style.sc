/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

int common;                                   /* any number of files may define it so */
int common;

char *usage = "usage: old_style
       in the manner of the time\n";

mean(values, n)                               /* int is meant; the parameters come below */
  int *global values;
{
  register i, sum;                            /* int, too; zero, since nothing sets them */
  for (i = 0; i < n; i++) sum += values[i];
  return sum / n;
};

splitc_main()
{
  int n = 5, i;
  int table[n];                               /* its length is known at run time */
  for (i = 0; i < n; i++) table[i] = 10 * i;
  on_one {
    printf(usage);
    printf("%d, %d\n", mean(table, n), declared_nowhere((int *global)table, 1.5));
  }
}

declared_nowhere(where, x)
  int *global where;
  double x;
{
  return where[1] + (x > 1);
}
