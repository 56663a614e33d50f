/* SPDX-License-Identifier: Apache-2.0
 * Blocked matrix multiply, C = A B, with two placements of the tiles. Both fetch tiles of A and B
 * by bulk gets while they compute with the ones before. See README.md. */
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

/* --- Global: tile (i, j) of t x t is on processor i * t + j mod PROCS --- */

/* Starts to fetch what the tile in row i and column j of C needs in its k-th step. They begin with
 * different k: not all processors ask the same one. */
static void fetch_pair(long t, long b, double A[t][t]::[b][b], double B[t][t]::[b][b], long own,
                       long step, double a[b][b], double x[b][b])
{
  long i = own / t, j = own % t, k = (i + j + step) % t;
  bulk_get(a, &A[i][k][0][0], b * b * sizeof(double));
  bulk_get(x, &B[k][j][0][0], b * b * sizeof(double));
}

static void multiply_global(long t, long b, double A[t][t]::[b][b], double B[t][t]::[b][b],
                            double C[t][t]::[b][b])
{
  double a[2][b][b], x[2][b][b];
  long own, step, now = 0;
  if (MYPROC < t * t) fetch_pair(t, b, A, B, MYPROC, 0, a[now], x[now]);
  for (own = MYPROC; own < t * t; own += PROCS) {
    double (*c)[b] = (double (*)[b])tolocal(C[own / t][own % t]);
    memset(c, 0, b * b * sizeof(double));
    for (step = 0; step < t; step++) {
      sync();
      if (step + 1 < t)
        fetch_pair(t, b, A, B, own, step + 1, a[!now], x[!now]);
      else if (own + PROCS < t * t)
        fetch_pair(t, b, A, B, own + PROCS, 0, a[!now], x[!now]);
      multiply_add(b, c, a[now], x[now]);
      now = !now;
    }
  }
}

static double run_global(long t, long b, int *correct)
{
  double A[t][t]::[b][b], B[t][t]::[b][b], C[t][t]::[b][b], seconds[repeats], begin;
  factors f = make_factors(t * b, seed);
  int i, j;
  long round;
  for_my_2d(i, j, t, t) {
    draw_tile(b, (double (*)[b])tolocal(A[i][j]), seed, 0, i * b, j * b);
    draw_tile(b, (double (*)[b])tolocal(B[i][j]), seed, 1, i * b, j * b);
  }
  for (round = 0; round < repeats; round++) {
    begin = time_begin();
    multiply_global(t, b, A, B, C);
    seconds[round] = time_end(begin);
    for_my_2d(i, j, t, t)
      if (!is_product(&f, b, (double (*)[b])tolocal(C[i][j]), i * b, j * b)) *correct = 0;
  }
  free_factors(&f);
  return median(seconds, repeats);
}

/* --- Local: processor (r, c) of a grid has a rectangle of tiles --- */

/* The processors, and the tiles of each. */
typedef struct grid {
  int rows, columns;
  long tall, wide;
} grid;

/* As square as the number of processors allows. */
static grid make_grid(void)
{
  grid g;
  for (g.columns = 1; (g.columns + 1) * (g.columns + 1) <= PROCS; g.columns++) continue;
  while (PROCS % g.columns != 0) g.columns--;
  g.rows = PROCS / g.columns;
  return g;
}

/* The tiles that a step needs: one of A for each row of tiles here, a row of tiles of B. They are
 * this processor's own, or copies. */
typedef struct panel {
  double *a, *x;           /* room for copies */
  double *own_a, *own_x;   /* where the tiles are; those of A `a_step` apart */
  long a_step;
} panel;

static void fetch_panel(grid g, long b, double A[PROCS]::[g.tall][g.wide][b][b],
                        double B[PROCS]::[g.tall][g.wide][b][b], long k, panel *p)
{
  long row = MYPROC / g.columns, column = MYPROC % g.columns, bytes = b * b * sizeof(double), i;
  int a_owner = row * g.columns + k / g.wide, x_owner = k / g.tall * g.columns + column;
  p->own_a = p->a;
  p->own_x = p->x;
  p->a_step = b * b;
  if (a_owner == MYPROC) {
    p->own_a = (double *)&A[MYPROC][0][k % g.wide][0][0];
    p->a_step = g.wide * b * b;
  } else {
    for (i = 0; i < g.tall; i++)
      bulk_get(p->a + i * b * b, &A[a_owner][i][k % g.wide][0][0], bytes);
  }
  if (x_owner == MYPROC)
    p->own_x = (double *)&B[MYPROC][k % g.tall][0][0][0];
  else
    bulk_get(p->x, &B[x_owner][k % g.tall][0][0][0], g.wide * bytes);
}

/* Each step adds the product of a column of tiles of A and a row of tiles of B. It begins with this
 * processor's own column. */
static void multiply_local(grid g, long b, double A[PROCS]::[g.tall][g.wide][b][b],
                           double B[PROCS]::[g.tall][g.wide][b][b],
                           double C[PROCS]::[g.tall][g.wide][b][b])
{
  double (*c)[g.wide][b][b] = (double (*)[g.wide][b][b])tolocal(C[MYPROC]);
  double a[2][g.tall][b][b], x[2][g.wide][b][b];
  panel panels[2] = {{&a[0][0][0][0], &x[0][0][0][0]}, {&a[1][0][0][0], &x[1][0][0][0]}};
  long t = g.wide * g.columns, first = MYPROC % g.columns * g.wide, step, i, j;
  memset(c, 0, g.tall * g.wide * b * b * sizeof(double));
  fetch_panel(g, b, A, B, first, &panels[0]);
  for (step = 0; step < t; step++) {
    panel *p = &panels[step % 2];
    sync();
    if (step + 1 < t) fetch_panel(g, b, A, B, (first + step + 1) % t, &panels[(step + 1) % 2]);
    for (i = 0; i < g.tall; i++)
      for (j = 0; j < g.wide; j++)
        multiply_add(b, c[i][j], (double (*)[b])(p->own_a + i * p->a_step),
                     (double (*)[b])(p->own_x + j * b * b));
  }
}

static double run_local(grid g, long b, int *correct)
{
  double A[PROCS]::[g.tall][g.wide][b][b], B[PROCS]::[g.tall][g.wide][b][b];
  double C[PROCS]::[g.tall][g.wide][b][b], seconds[repeats], begin;
  double (*a)[g.wide][b][b] = (double (*)[g.wide][b][b])tolocal(A[MYPROC]);
  double (*x)[g.wide][b][b] = (double (*)[g.wide][b][b])tolocal(B[MYPROC]);
  double (*c)[g.wide][b][b] = (double (*)[g.wide][b][b])tolocal(C[MYPROC]);
  long row = MYPROC / g.columns * g.tall * b, column = MYPROC % g.columns * g.wide * b;
  long round, i, j;
  factors f = make_factors(g.wide * g.columns * b, seed);
  for (i = 0; i < g.tall; i++)
    for (j = 0; j < g.wide; j++) {
      draw_tile(b, a[i][j], seed, 0, row + i * b, column + j * b);
      draw_tile(b, x[i][j], seed, 1, row + i * b, column + j * b);
    }
  for (round = 0; round < repeats; round++) {
    begin = time_begin();
    multiply_local(g, b, A, B, C);
    seconds[round] = time_end(begin);
    for (i = 0; i < g.tall; i++)
      for (j = 0; j < g.wide; j++)
        if (!is_product(&f, b, c[i][j], row + i * b, column + j * b)) *correct = 0;
  }
  free_factors(&f);
  return median(seconds, repeats);
}

/* --- The program --- */

#define USUAL_TILES 12

/* Both placements of one problem; the grid divides the tiles evenly. */
static grid place(void)
{
  grid g = make_grid();
  long t = tiles ? tiles : USUAL_TILES;
  while (!tiles && (t % g.rows || t % g.columns)) t++;
  if (t % g.rows || t % g.columns)
    refuse("--tiles %ld: %d x %d processors need a multiple of %d and of %d", t, g.rows, g.columns,
           g.rows, g.columns);
  g.tall = t / g.rows;
  g.wide = t / g.columns;
  return g;
}

splitc_main(int argc, char **argv)
{
  double global_seconds, local_seconds, n, operations;
  int correct = 1;
  grid g;
  read_settings(argc, argv, "Blocked matrix multiply by bulk gets, with two placements of tiles.",
                settings);
  if (tile % 4) refuse("--tile %ld: give a multiple of 4", tile);
  g = place();
  n = (double)g.wide * g.columns * tile;
  operations = 2 * n * n * n;
  global_seconds = run_global(g.wide * g.columns, tile, &correct);
  local_seconds = run_local(g, tile, &correct);
  report_number("n", n);
  report_number("tile", tile);
  report_number("global_seconds", global_seconds);
  report_number("local_seconds", local_seconds);
  report_number("global_gflops", operations / global_seconds * 1e-9);
  report_number("local_gflops", operations / local_seconds * 1e-9);
  report_end(correct);
}
