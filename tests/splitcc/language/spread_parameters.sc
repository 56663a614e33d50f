/* SPDX-License-Identifier: Apache-2.0
 * A parameter T X[v][w]::[q][r] is a spread pointer to the block type; its bounds may name earlier
 * parameters and PROCS. Spread arrays as arguments, by all kinds of declarations. */
#include "check.h"

int A[12 * PROCS]::;
double B[4][PROCS]::[6];
char C[PROCS]::[2][8];

static int sum(int n, int X[n]::) {
  int i, s = 0;
  for (i = 0; i < n; i++) s += X[i];
  return s;
}

static double at(X, v, w, q, i, j, k) int v, w, q, i, j, k;
double X[v][w]::[q];
{ return X[i][j][k]; }

static int shape(int q, int r, char X[PROCS]::[q][r]) {
  CHECK_INT(sizeof X, 8);
  CHECK_INT(sizeof *X, q * r);
  CHECK_INT(sizeof X[0][0], r);
  CHECK_GLOBAL(&X[MYPROC][1][3], global_step(spread_step(spread_bits(X), MYPROC, q * r), r + 3, 1));
  return X[NEXT][1][r - 1];
}

static int unbounded(int X[]::, int i) { return X[i]; }
static int by_pointer(int *spread p, int i) { return p[i]; }
static double by_row(double (*spread p)[6], int i, int k) { return p[i][k]; }
static int own(int *p, int i) { return p[i]; }
static void prototype_with_names(int n, double X[n][PROCS]::[6], int *sum);
static int declared_without_names(int, int[PROCS]::, int *global);

/* The parameter is a variable like any other. */
static int walk(int X[PROCS]::, int n) {
  int s = 0;
  while (n--) s += *X++;
  return s;
}

/* The same storage under another shape. */
static void reshape(int rows, int columns, int X[rows][columns]::) {
  int i, j;
  for (i = 0; i < rows; i++)
    for (j = 0; j < columns; j++) {
      CHECK_SPREAD(&X[i][j], spread_step(spread_bits(A), i * columns + j, 4));
      CHECK_INT(X[i][j], mark(1, i * columns + j));
    }
}

static void tail(int count, int X[count]::) {
  if (count == 0) return;
  CHECK_INT(X[0], mark(1, 12 * PROCS - count));
  tail(count - 1, X + 1);
}

splitc_main() {
  int i, j, k, s = 0, *p;
  for (i = MYPROC; i < 12 * PROCS; i += PROCS) A[i] = mark(1, i);
  for (i = 0; i < 4; i++)
    for (k = 0; k < 6; k++) B[i][MYPROC][k] = mark(MYPROC, 6 * i + k);
  for (k = 0; k < 16; k++) C[MYPROC][k / 8][k % 8] = MYPROC + k;
  barrier();
  for (i = 0; i < 12 * PROCS; i++) s += mark(1, i);
  CHECK_INT(sum(12 * PROCS, A), s);
  CHECK_INT(sum(1, A + 5), mark(1, 5));
  CHECK_INT(sum(2, &A[5]), mark(1, 5) + mark(1, 6));
  CHECK_DOUBLE(at(B, 4, PROCS, 6, 3, NEXT, 5), mark(NEXT, 23));
  CHECK_INT(shape(2, 8, C), NEXT + 15);
  CHECK_INT(shape(4, 4, C), NEXT + 7);
  CHECK_INT(unbounded(A, 11), mark(1, 11));
  CHECK_INT(by_pointer(A, 7), mark(1, 7));
  CHECK_DOUBLE(by_row(B, PROCS + NEXT, 2), mark(NEXT, 8));
  CHECK_INT(own(A, 2), mark(1, 2 * PROCS + MYPROC));
  CHECK_INT(own((int *)A, 3), mark(1, 3 * PROCS + MYPROC));
  prototype_with_names(4, B, &j);
  CHECK_INT(j, 96 * PROCS);
  CHECK_INT(declared_without_names(3, A, toglobal(MYPROC, &j)), mark(1, 3));
  CHECK_INT(j, 77);
  CHECK_INT(walk(A, 12 * PROCS), s);
  reshape(6 * PROCS, 2, A);
  reshape(3, 4 * PROCS, A);
  tail(12 * PROCS, A);
  p = tolocal(A);
  CHECK_INT(p[1], mark(1, PROCS + MYPROC));
  DONE;
}

static void prototype_with_names(int n, double X[n][PROCS]::[6], int *sum) {
  int i, j, k;
  *sum = 0;
  for (i = 0; i < n; i++)
    for (j = 0; j < PROCS; j++)
      for (k = 0; k < 6; k++) {
        CHECK_DOUBLE(X[i][j][k], mark(j, 6 * i + k));
        *sum += 4;
      }
}

static int declared_without_names(int i, int X[PROCS]::, int *global g) {
  *g = 77;
  return X[i];
}
