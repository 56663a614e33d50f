/* SPDX-License-Identifier: Apache-2.0
 * Automatic spread arrays with run-time bounds: the same address everywhere without communication,
 * last in first out with the block, 16-byte alignment, released on every way out of the block,
 * popped space not cleared while others read it. */
#include "check.h"

static check_word first;  /* where the stack stands at the start of a block */

static check_word here(void) {
  char probe[PROCS]::[16];
  return spread_bits(probe);
}

static void layout(int n, int m) {
  int A[n * PROCS]::, i, B[m][PROCS]::[n], last = n - 1, j, k;
  double C[PROCS]::[m][n];
  char odd[1]::[3];
  short after[PROCS]::;
  CHECK_INT(address_of(spread_bits(A)) % 16, 0);
  CHECK_INT(address_of(spread_bits(B)) % 16, 0);
  CHECK_INT(address_of(spread_bits(C)) % 16, 0);
  CHECK_INT(address_of(spread_bits(odd)) % 16, 0);
  CHECK_INT(address_of(spread_bits(after)) % 16, 0);
  CHECK_INT(all_reduce_to_all_max((int)(spread_bits(C) >> 4)), (int)(spread_bits(C) >> 4));
  CHECK_INT(all_reduce_to_all_min((int)(spread_bits(C) >> 4)), (int)(spread_bits(C) >> 4));
  CHECK_INT(proc_of(spread_bits(odd)), 0);
  for (i = MYPROC; i < n * PROCS; i += PROCS) A[i] = mark(0, i);
  for (i = 0; i < m; i++)
    for (k = 0; k < n; k++) {
      B[i][MYPROC][k] = mark(MYPROC, i * n + k);
      C[MYPROC][i][k] = mark(MYPROC, i * n + k) / 2.0;
    }
  after[MYPROC] = MYPROC;
  barrier();
  for (i = 0; i < n * PROCS; i++) CHECK_INT(A[i], mark(0, i));
  for (i = 0; i < m; i++)
    for (j = 0; j < PROCS; j++)
      for (k = 0; k <= last; k++) {
        CHECK_INT(B[i][j][k], mark(j, i * n + k));
        CHECK_DOUBLE(C[j][i][k], mark(j, i * n + k) / 2.0);
        CHECK_GLOBAL(&C[j][i][k], global_step(spread_step(spread_bits(C), j, 8L * m * n), i * n + k,
                                              8));
      }
  CHECK_INT(after[NEXT], NEXT);
  CHECK_INT(sizeof C[0], sizeof(double) * m * n);
  CHECK_SPREAD(B + 1, spread_step(spread_bits(B), 1, 4L * n));
  barrier();
}

/* Every way out of a block. */
static int leave(int how) {
  int outer[PROCS]::[8], i;
  outer[MYPROC][0] = how;
  for (i = 0; i < 3; i++) {
    double inner[PROCS]::[i + 1];
    inner[MYPROC][i] = i;
    if (how == 1 && i == 1) break;
    if (how == 2) continue;
    if (how == 3) return outer[MYPROC][0];
    if (how == 4) goto out;
    if (how == 5) {
      char deep[PROCS]::[100];
      deep[MYPROC][99] = 1;
      return deep[MYPROC][99] + 4;
    }
    if (how == 6)
      switch (i) {
        case 1: {
          int innermost[PROCS]::;
          innermost[MYPROC] = i;
          goto out;
        }
        default:
          break;
      }
  }
  return how;
out:
  return outer[MYPROC][0];
}

static int depth(int n) {
  int level[PROCS]::[n + 1];
  level[MYPROC][n] = n;
  return n == 0 ? 0 : depth(n - 1) + level[MYPROC][n];
}

static void every_way_out(void) {
  int how, i;
  for (how = 0; how <= 6; how++) {
    CHECK_INT(leave(how), how);
    CHECK_INT(here(), first);
  }
  CHECK_INT(depth(30), 465);
  CHECK_INT(here(), first);
  for (i = 0; i < 10000; i++) {
    int big[PROCS]::[10000];
    ((int *)big)[9999] = i;
  }
  CHECK_INT(here(), first);
  i = 0;
again : {
  int one[PROCS]::[50];
  one[MYPROC][i] = i;
  if (++i < 50) goto again;
}
  CHECK_INT(here(), first);
  i = ({ int inside[PROCS]::; inside[MYPROC] = 9; inside[MYPROC] + 1; });
  CHECK_INT(i, 10);
  CHECK_INT(here(), first);
}

/* Blocks nest; what is inside lies behind what is outside. */
static void nesting(void) {
  int A[PROCS]::[4];
  check_word b;
  {
    int B[PROCS]::[4];
    b = spread_bits(B);
    CHECK(address_of(b) >= address_of(spread_bits(A)) + 16 ||
          address_of(b) + 16 <= address_of(spread_bits(A)));
    B[MYPROC][0] = A[MYPROC][0] = 5;
  }
  {
    int C[PROCS]::[4];
    CHECK_INT(spread_bits(C), b);
    C[MYPROC][1] = 6;
    CHECK_INT(A[MYPROC][0], 5);
  }
}

/* Another may read it after its owner has left. */
static int *global linger(void) {
  int A[PROCS]::;
  A[MYPROC] = mark(MYPROC, 3);
  barrier();
  return &A[NEXT];
}

/* A processor may come later than others, and the address is the same. */
static void unequal_speed(void) {
  volatile double x = 1;
  int i;
  for (i = 0; i < MYPROC * 100000; i++) x += 1 / x;
  {
    int A[PROCS]::;
    A[MYPROC] = MYPROC;
    barrier();
    CHECK_INT(A[NEXT], NEXT);
    barrier();
  }
}

splitc_main() {
  int rows = 3, *global g;
  int main_array[rows][PROCS]::[rows + 1];
  barrier();
  main_array[rows - 1][NEXT][rows] = MYPROC;
  first = here();
  CHECK_INT(all_reduce_to_all_max((int)(first >> 4)), (int)(first >> 4));
  layout(1, 1);
  layout(5, 3);
  layout(17, 2);
  CHECK_INT(here(), first);
  every_way_out();
  nesting();
#ifndef __SPLITC_CHECK__ /* which reports what nobody may rely on */
  g = linger();
  CHECK_INT(*g, mark(NEXT, 3));
#endif
  barrier();
  unequal_speed();
  CHECK_INT(main_array[rows - 1][MYPROC][rows], PREVIOUS);
  DONE;
}
