/* SPDX-License-Identifier: Apache-2.0
 * Cannon's matrix multiply, C = A B, with two placements of the matrices. In each step every block
 * of A moves to the left and every block of B up, by bulk stores, while their product is added to a
 * block of C. See README.md. */
#include "../common/tiles.h"

#include <string.h>

static long tiles, tile = 32, seed = 1, repeats = 3;

static setting settings[] = {
  {"tile", "rows and columns of a tile, a multiple of 4", &tile, 4, 256},
  {"tiles", "tiles in a row of a matrix; 0: what fits the processors, about 12", &tiles, 0, 4096},
  {"seed", "of the matrices", &seed, 0, 1L << 52},
  {"repeats", "products; the median of their times counts", &repeats, 1, 1000},
  {0},
};

/* A torus of q x q blocks; block (i, j) is on processor i * q + j mod PROCS. A block is m x m tiles
 * of b x b numbers, one tile after the other. */
typedef struct torus {
  int q;
  long m, b, numbers; /* numbers: of a block */
} torus;

static torus make_torus(int q, long m, long b)
{
  torus t;
  t.q = q;
  t.m = m;
  t.b = b;
  t.numbers = m * m * b * b;
  return t;
}

/* --- The algorithm --- */

/* Stores this processor's blocks of A `left` places to the left and those of B `up` places up; or
 * each as many places as its row or column says, which is how the algorithm begins. */
static void shift(torus t, double A[t.q][t.q]::[t.numbers], double B[t.q][t.q]::[t.numbers],
                  double next_A[t.q][t.q]::[t.numbers], double next_B[t.q][t.q]::[t.numbers],
                  int is_first)
{
  long bytes = t.numbers * sizeof(double);
  int i, j, q = t.q;
  for_my_2d(i, j, q, q) {
    int left = is_first ? i : 1, up = is_first ? j : 1;
    bulk_store(&next_A[i][(j + q - left) % q][0], (double *)tolocal(A[i][j]), bytes);
    bulk_store(&next_B[(i + q - up) % q][j][0], (double *)tolocal(B[i][j]), bytes);
  }
}

static void multiply_blocks(torus t, double *c, double *a, double *x)
{
  long m = t.m, b = t.b, i, j, k;
  double (*C)[m][b][b] = (double (*)[m][b][b])c;
  double (*A)[m][b][b] = (double (*)[m][b][b])a, (*X)[m][b][b] = (double (*)[m][b][b])x;
  for (i = 0; i < m; i++)
    for (k = 0; k < m; k++)
      for (j = 0; j < m; j++) multiply_add(b, C[i][j], A[i][k], X[k][j]);
}

static void multiply_own(torus t, double A[t.q][t.q]::[t.numbers], double B[t.q][t.q]::[t.numbers],
                         double C[t.q][t.q]::[t.numbers])
{
  int i, j;
  for_my_2d(i, j, t.q, t.q)
    multiply_blocks(t, (double *)tolocal(C[i][j]), (double *)tolocal(A[i][j]),
                    (double *)tolocal(B[i][j]));
}

/* Blocks are stored into the other pair of matrices: what is there has been used in the step
 * before, at whose end all met. They are on their way while this processor computes. A and B stay
 * as they are. */
static void multiply(torus t, double A[t.q][t.q]::[t.numbers], double B[t.q][t.q]::[t.numbers],
                     double C[t.q][t.q]::[t.numbers])
{
  double A0[t.q][t.q]::[t.numbers], B0[t.q][t.q]::[t.numbers];
  double A1[t.q][t.q]::[t.numbers], B1[t.q][t.q]::[t.numbers];
  int step, i, j;
  for_my_2d(i, j, t.q, t.q) memset((double *)tolocal(C[i][j]), 0, t.numbers * sizeof(double));
  shift(t, A, B, A0, B0, 1);
  all_store_sync();
  for (step = 0; step < t.q; step++) {
    if (step % 2 == 0) {
      if (step + 1 < t.q) shift(t, A0, B0, A1, B1, 0);
      multiply_own(t, A0, B0, C);
    } else {
      if (step + 1 < t.q) shift(t, A1, B1, A0, B0, 0);
      multiply_own(t, A1, B1, C);
    }
    all_store_sync();
  }
}

/* --- A placement, timed and checked --- */

/* Block (i, j) of matrix 0 or 1. */
static void draw_block(torus t, double *block, int matrix, int i, int j)
{
  long m = t.m, b = t.b, r, c;
  double (*tile_at)[m][b][b] = (double (*)[m][b][b])block;
  for (r = 0; r < m; r++)
    for (c = 0; c < m; c++)
      draw_tile(b, tile_at[r][c], seed, matrix, (i * m + r) * b, (j * m + c) * b);
}

/* Whether it is that block of the product. */
static int is_right(torus t, const factors *f, double *block, int i, int j)
{
  long m = t.m, b = t.b, r, c;
  double (*tile_at)[m][b][b] = (double (*)[m][b][b])block;
  for (r = 0; r < m; r++)
    for (c = 0; c < m; c++)
      if (!is_product(f, b, tile_at[r][c], (i * m + r) * b, (j * m + c) * b)) return 0;
  return 1;
}

static double run(torus t, int *correct)
{
  double A[t.q][t.q]::[t.numbers], B[t.q][t.q]::[t.numbers], C[t.q][t.q]::[t.numbers];
  double seconds[repeats], begin;
  factors f = make_factors(t.q * t.m * t.b, seed);
  long round;
  int i, j;
  for_my_2d(i, j, t.q, t.q) {
    draw_block(t, (double *)tolocal(A[i][j]), 0, i, j);
    draw_block(t, (double *)tolocal(B[i][j]), 1, i, j);
  }
  for (round = 0; round < repeats; round++) {
    begin = time_begin();
    multiply(t, A, B, C);
    seconds[round] = time_end(begin);
    for_my_2d(i, j, t.q, t.q)
      if (!is_right(t, &f, (double *)tolocal(C[i][j]), i, j)) *correct = 0;
  }
  free_factors(&f);
  return median(seconds, repeats);
}

/* --- The program --- */

#define USUAL_TILES 12

/* The least torus of blocks that gives every processor equally many. */
static int least_torus(void)
{
  int q = 1;
  while (q * q % PROCS != 0) q++;
  return q;
}

splitc_main(int argc, char **argv)
{
  double global_seconds, local_seconds, n, operations;
  int correct = 1, q = least_torus();
  long t;
  read_settings(argc, argv, "Cannon's matrix multiply, with two placements of the matrices.",
                settings);
  if (tile % 4) refuse("--tile %ld: give a multiple of 4", tile);
  t = tiles ? tiles : (USUAL_TILES + q - 1) / q * q;
  if (t % q) refuse("--tiles %ld: on %d processors give a multiple of %d", t, PROCS, q);
  n = (double)t * tile;
  operations = 2 * n * n * n;
  global_seconds = run(make_torus(t, 1, tile), &correct);
  local_seconds = run(make_torus(q, t / q, tile), &correct);
  report_number("n", n);
  report_number("tile", tile);
  report_number("global_seconds", global_seconds);
  report_number("local_seconds", local_seconds);
  report_number("global_gflops", operations / global_seconds * 1e-9);
  report_number("local_gflops", operations / local_seconds * 1e-9);
  report_end(correct);
}
