/* SPDX-License-Identifier: Apache-2.0 */
#include "tiles.h"

#include <stdlib.h>

void draw_tile(long b, double tile[b][b], long seed, int matrix, long row, long column)
{
  long i, j;
  for (i = 0; i < b; i++)
    for (j = 0; j < b; j++) tile[i][j] = matrix_number(seed, matrix, row + i, column + j);
}

/* Four rows of x are added to two of c at a time, so that a number of c is loaded and stored once
 * for four products, and one of x serves two. */
void multiply_add(long b, double c[b][b], double a[b][b], double x[b][b])
{
  long i, j, k;
  for (i = 0; i < b; i += 2)
    for (k = 0; k < b; k += 4) {
      double *restrict c0 = c[i], *restrict c1 = c[i + 1];
      const double *x0 = x[k], *x1 = x[k + 1], *x2 = x[k + 2], *x3 = x[k + 3];
      double a00 = a[i][k], a01 = a[i][k + 1], a02 = a[i][k + 2], a03 = a[i][k + 3];
      double a10 = a[i + 1][k], a11 = a[i + 1][k + 1], a12 = a[i + 1][k + 2],
             a13 = a[i + 1][k + 3];
      for (j = 0; j < b; j++) {
        c0[j] += a00 * x0[j] + a01 * x1[j] + a02 * x2[j] + a03 * x3[j];
        c1[j] += a10 * x0[j] + a11 * x1[j] + a12 * x2[j] + a13 * x3[j];
      }
    }
}

factors make_factors(long n, long seed)
{
  factors f;
  long i, j;
  f.n = n;
  f.rows = malloc(n * n);
  f.columns = malloc(n * n);
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      f.rows[i * n + j] = matrix_number(seed, 0, i, j);
      f.columns[j * n + i] = matrix_number(seed, 1, i, j);
    }
  return f;
}

static long product_at(const factors *f, long row, long column)
{
  const signed char *a = f->rows + row * f->n, *x = f->columns + column * f->n;
  long sum = 0, k;
  for (k = 0; k < f->n; k++) sum += a[k] * x[k];
  return sum;
}

int is_product(const factors *f, long b, double tile[b][b], long row, long column)
{
  long i, j;
  for (i = 0; i < b; i++)
    for (j = 0; j < b; j++)
      if (tile[i][j] != product_at(f, row + i, column + j)) return 0;
  return 1;
}

void free_factors(factors *f)
{
  free(f->rows);
  free(f->columns);
}
