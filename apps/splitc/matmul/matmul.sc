/* SPDX-License-Identifier: Apache-2.0
 * The matrix multiply by which split-phase access was introduced (von Eicken, Culler, Goldstein and
 * Schauser 1992, section 2.3, Figure 4). C = A B, all in blocks of columns. Each processor gets one
 * column of A after the other and adds its product with a row of B to C; while it computes with one
 * column, the next is on its way. See README.md. */
#include "../common/program.h"
#include "../common/tiles.h"

#include <stdlib.h>
#include <string.h>

static long rows = 128, columns = 8, terms = 2048, seed = 1, repeats = 11;

static setting settings[] = {
  {"rows", "N: rows of A and of C, the numbers of a column that is fetched", &rows, 4, 1 << 16},
  {"columns", "m: columns of B and of C at each processor", &columns, 1, 1 << 12},
  {"terms", "columns of A with m = 1; with more they are m times fewer", &terms, 1, 1 << 24},
  {"seed", "of the matrices", &seed, 0, 1L << 52},
  {"repeats", "products; the median of their times counts", &repeats, 1, 10000},
  {0},
};

/* --- The algorithm --- */

/* Columns of A, R at each processor; m columns of B, R * PROCS numbers each, and of C, N numbers
 * each, which are this processor's alone. */
static void add_rank_1_update(long N, long m, long all, double (*C)[N], const double *column,
                              double (*B)[all], long j)
{
  long k, i;
  for (k = 0; k < m; k++) {
    double *restrict c = C[k], factor = B[k][j];
    for (i = 0; i < N; i++) c[i] += column[i] * factor;
  }
}

static void multiply(long N, long R, long m, double A[PROCS]::[R][N], double (*B)[R * PROCS],
                     double (*C)[N])
{
  double first[N], second[N], *current = first, *next = second, *spare;
  long all = R * PROCS, own = MYPROC * R, j = own, following;
  memset(C, 0, m * N * sizeof(double));
  bulk_get(next, &A[MYPROC][0][0], N * sizeof(double));
  do {
    sync();
    spare = current;
    current = next;
    next = spare;
    following = (j + 1) % all;
    if (following != own) bulk_get(next, &A[following / R][following % R][0], N * sizeof(double));
    add_rank_1_update(N, m, all, C, current, B, j);
    j = following;
  } while (j != own);
}

/* --- What of its time a processor computes: the same updates, with columns that are there --- */

static double *some_columns(long N)
{
  double *two = malloc(2 * N * sizeof(double));
  long i;
  for (i = 0; i < 2 * N; i++) two[i] = matrix_number(seed, 0, i % N, i / N);
  return two;
}

static void compute_only(long N, long R, long m, double (*B)[R * PROCS], double (*C)[N],
                         const double *two)
{
  long j;
  for (j = 0; j < R * PROCS; j++)
    add_rank_1_update(N, m, R * PROCS, C, two + j % 2 * N, B, j);
}

/* --- Numbers and check --- */

static void draw(long N, long R, long m, double A[PROCS]::[R][N], double (*B)[R * PROCS])
{
  double (*own)[N] = (double (*)[N])tolocal(A[MYPROC]);
  long i, j;
  for (j = 0; j < R; j++)
    for (i = 0; i < N; i++) own[j][i] = matrix_number(seed, 0, i, MYPROC * R + j);
  for (j = 0; j < m; j++)
    for (i = 0; i < R * PROCS; i++) B[j][i] = matrix_number(seed, 1, i, MYPROC * m + j);
}

/* Every number of C, by whole numbers and from the definition. */
static int is_right(long N, long R, long m, double (*C)[N])
{
  long i, j, k, *expected = malloc(N * sizeof(long));
  int right = 1;
  for (j = 0; j < m; j++) {
    memset(expected, 0, N * sizeof(long));
    for (k = 0; k < R * PROCS; k++) {
      long factor = matrix_number(seed, 1, k, MYPROC * m + j);
      for (i = 0; i < N; i++) expected[i] += matrix_number(seed, 0, i, k) * factor;
    }
    for (i = 0; i < N; i++) right &= C[j][i] == expected[i];
  }
  free(expected);
  return right;
}

/* --- The program --- */

static int run(long N, long R, long m, double *whole, double *computed)
{
  double A[PROCS]::[R][N], *two = some_columns(N), begin;
  double (*B)[R * PROCS] = malloc(m * R * PROCS * sizeof(double));
  double (*C)[N] = malloc(m * N * sizeof(double));
  long round;
  int right;
  draw(N, R, m, A, B);
  for (round = 0; round < repeats; round++) {
    begin = time_begin();
    compute_only(N, R, m, B, C, two);
    computed[round] = time_end(begin);
    begin = time_begin();
    multiply(N, R, m, A, B, C);
    whole[round] = time_end(begin);
  }
  right = is_right(N, R, m, C);
  free(two);
  free(B);
  free(C);
  return right;
}

splitc_main(int argc, char **argv)
{
  double *whole, *computed, seconds, operations;
  long R;
  int right;
  read_settings(argc, argv,
                "Matrix multiply that gets the next column while it computes with this one.",
                settings);
  R = terms / columns / PROCS;
  if (R == 0) R = 1;
  whole = malloc(repeats * sizeof(double));
  computed = malloc(repeats * sizeof(double));
  right = run(rows, R, columns, whole, computed);
  seconds = median(whole, repeats);
  operations = 2.0 * rows * columns * R * PROCS;
  report_number("rows", rows);
  report_number("columns", columns);
  report_number("columns_of_a", R * PROCS);
  report_number("seconds", seconds);
  report_number("gflops_each", operations / seconds * 1e-9);
  report_number("utilisation", 100 * median(computed, repeats) / seconds);
  free(whole);
  free(computed);
  report_end(right);
}
