/* SPDX-License-Identifier: Apache-2.0
 * Matrices in square tiles, as mm and cannon have them: their numbers, the product of two tiles,
 * and the check of a tile of the product. */
#ifndef APPS_SPLITC_COMMON_TILES_H
#define APPS_SPLITC_COMMON_TILES_H

#include "program.h"

/* A number of matrix 0 or 1 of a seed: whole, from -4 to 4, so that products are exact in whatever
 * order they are summed up. */
static inline int matrix_number(long seed, int matrix, long row, long column)
{
  word w = scrambled(scrambled(seed + 1) ^ ((word)matrix << 63 | (word)row << 32 | (word)column));
  return (int)((w >> 32) * 9 >> 32) - 4;
}

/* The b x b numbers of a matrix whose first one is in this row and column. */
void draw_tile(long b, double tile[b][b], long seed, int matrix, long row, long column);

/* c += a x; b is a multiple of 4. */
void multiply_add(long b, double c[b][b], double a[b][b], double x[b][b]);

/* Both matrices, n x n, by which a processor checks its tiles of the product: by whole numbers,
 * each by itself. */
typedef struct factors {
  long n;
  signed char *rows, *columns; /* matrix 0 by rows, matrix 1 by columns */
} factors;

factors make_factors(long n, long seed);
int is_product(const factors *f, long b, double tile[b][b], long row, long column);
void free_factors(factors *f);

#endif
