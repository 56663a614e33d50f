/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <split-c/split-c.h>

/* The bounds of X may use what stands before it. */
double trace(int n, int m, double X[n]::[m])
{
  double sum = 0;
  int i;
  for_my_1d(i, n) sum += X[i][i];
  return all_reduce_to_all_dadd(sum);
}

/* The same, as what it is: a pointer to the blocks. */
double corner(int n, int m, double (*spread X)[m]) { return X[n - 1][m - 1]; }

splitc_main()
{
  int n = 6, m = 7, i, j;
  double X[n]::[m], t;

  for_my_1d(i, n)
    for (j = 0; j < m; j++) X[i][j] = i + j / 10.0;
  barrier();
  t = trace(n, m, X);
  on_one printf("trace %.1f, corner %.1f\n", t, corner(n, m, X));
}
