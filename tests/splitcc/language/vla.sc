/* SPDX-License-Identifier: Apache-2.0
 * Variable-length arrays everywhere. Bounds are what they were at the declaration, but for pointers
 * that are declared before their sizes are assigned: there bounds count where they are used. */
#include "check.h"

static double tile[6 * 6];
int n_global = 4;

static double trace(int n, double a[n][n]) {
  double t = 0;
  int i;
  for (i = 0; i < n; i++) t += a[i][i];
  return t;
}
static double remote_trace(int n, double (*global a)[n]) {
  double t = 0;
  int i;
  for (i = 0; i < n; i++) t += a[i][i];
  return t;
}

static void local_ones(int n, int m) {
  double a[n][m], *row[n], (*p)[m] = a;
  int i, j;
  struct { int c; } s[n];
  for (i = 0; i < n; i++) {
    row[i] = a[i];
    s[i].c = i;
    for (j = 0; j < m; j++) a[i][j] = i * 100 + j;
  }
  CHECK_INT(sizeof a, n * m * sizeof(double));
  CHECK_INT(sizeof *p, m * sizeof(double));
  CHECK_DOUBLE(p[n - 1][m - 1], (n - 1) * 100 + m - 1);
  CHECK_DOUBLE(row[1][2], 102);
  CHECK_INT(s[n - 1].c, n - 1);
  if (n == m) CHECK_DOUBLE(trace(n, a), 101 * n * (n - 1) / 2);
}

/* The sizes come after the declarations, as in published programs. */
static void local_sizes_come_later(void) {
  int n, i, j;
  double (*local)[n];
  n = 6;
  local = (double (*)[n])tile;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) local[i][j] = i * n + j;
  for (i = 0; i < n * n; i++) CHECK_DOUBLE(tile[i], i);
  CHECK(local + 2 == (void *)(tile + 12));
  CHECK(&local[1][1] == tile + 7);
}

static void sizes_come_later(void) {
  int n, m, i;
  double (*global remote)[m];
  double (*spread rows)[n];
  n = 6;
  m = 3;
  barrier();
  for (i = 0; i < n * n; i++) tile[i] = mark(MYPROC, i);
  barrier();
  remote = (double (*global)[m])toglobal(NEXT, tile);
  rows = (double (*spread)[n])toglobal(NEXT, tile);
  CHECK_DOUBLE(remote[5][2], mark(NEXT, 17));
  CHECK_GLOBAL(remote + 2, global_step(pair_at(NEXT, tile), 6, 8));
  CHECK_GLOBAL(&rows[PROCS][1], global_step(pair_at(NEXT, tile), 7, 8));
  CHECK_DOUBLE(rows[PROCS][1], mark(NEXT, 7));
  CHECK_DOUBLE((*(rows + 2 * PROCS))[5], mark(NEXT, 17));
  CHECK_DOUBLE(remote_trace(n, (double (*global)[n])remote),
               6.0 * mark(NEXT, 0) + 101.0 * 7 * (0 + 1 + 2 + 3 + 4 + 5));
  CHECK_INT(rows + 5 - rows, 5);
  barrier();
}

static void in_spread_arrays(int n) {
  int A[n + 1][PROCS]::[n][2 * n], i, j, k;
  for (k = 0; k <= n; k++)
    for (i = 0; i < n; i++)
      for (j = 0; j < 2 * n; j++) A[k][MYPROC][i][j] = mark(MYPROC, (k * n + i) * 2 * n + j);
  barrier();
  for (k = 0; k <= n; k++)
    for (i = 0; i < n; i++) {
      int(*block)[2 * n] = (int (*)[2 * n])A[k][MYPROC];
      CHECK_INT(A[k][NEXT][i][n], mark(NEXT, (k * n + i) * 2 * n + n));
      CHECK_INT(block[i][1], mark(MYPROC, (k * n + i) * 2 * n + 1));
      CHECK_GLOBAL(A[k][NEXT] + i, global_step(spread_step(spread_bits(A), k * PROCS + NEXT,
                                                           8L * n * n), i, 8L * n));
    }
  barrier();
}

/* A bound's effects happen once, where the declaration is. */
static void bounds_once(void) {
  int n = 3, calls = 0;
  char a[n++][({ calls++; 4; })];
  int b[PROCS]::[n++ + ({ calls += 10; 0; })];
  typedef int row[n];
  row r;
  CHECK_INT(sizeof a, 12);
  CHECK_INT(calls, 11);
  n = 100;
  CHECK_INT(sizeof a[0], 4);
  CHECK_INT(sizeof b[0], 16);
  CHECK_INT(sizeof(row), 20);
  CHECK_INT(sizeof r, 20);
  CHECK_SPREAD(b + 1, spread_step(spread_bits(b), 1, 16));
  CHECK_INT(calls, 11);
}

static double last_row(int n, double (*global a)[n]) {
  double sum = 0;
  int last = n - 1;
  while (n-- > 0) sum += a[last][n];
  return sum;
}
static double last_row_old_style(n, a)
  int n;
  double (*global a)[n];
{
  double sum = 0;
  int last = n - 1;
  while (n-- > 0) sum += a[last][n];
  return sum;
}
static double last_block(int n, int m, double A[n]::[m]) {
  double sum = 0;
  while (m-- > 0) sum += A[n - 1][m];
  return sum;
}

/* Whatever happens to the variables afterwards. */
static void bounds_stay(void) {
  double A[PROCS]::[3], sum = 0;
  int n = 6, calls = 0, i;
  typedef double row[n];
  double (*global g)[n] = (void *global)tile;
  row *global first = (void *global)tile;
  int *global cells[n];
  for (i = 0; i < 36; i++) tile[i] = i;
  for (i = 0; i < 3; i++) A[MYPROC][i] = 10 * MYPROC + i;
  barrier();
  n = 2;
  CHECK_INT(sizeof cells, 6 * sizeof cells[0]);
  CHECK_DOUBLE(g[1][0], 6);
  {
    row *global second = first + 1;
    CHECK_DOUBLE((*second)[1], 7);
  }
  CHECK_DOUBLE(first[2][0], 12);
  for (double (*global h)[n] = (void *global)tile, (*global end)[({ calls++; n; })] = h + 3;
       (n = 1, h != (void *global)end); h++)
    sum += (*h)[1];
  CHECK_DOUBLE(sum, 1 + 3 + 5);
  CHECK_INT(calls, 1);
  for (i = 0; i < 3; i++) {
    double (*global h)[i + 1] = (void *global)tile;
    CHECK_DOUBLE(h[1][0], i + 1);
  }
  CHECK_DOUBLE(last_row(6, g), 30 + 31 + 32 + 33 + 34 + 35);
  CHECK_DOUBLE(last_row_old_style(6, g), 30 + 31 + 32 + 33 + 34 + 35);
  CHECK_DOUBLE(last_block(PROCS, 3, A), 30 * (PROCS - 1) + 3);
  barrier();
}

splitc_main() {
  bounds_stay();
  local_ones(3, 3);
  local_ones(4, 4);
  local_ones(5, 3);
  local_sizes_come_later();
  sizes_come_later();
  in_spread_arrays(2);
  in_spread_arrays(n_global);
  bounds_once();
  DONE;
}
