/* SPDX-License-Identifier: Apache-2.0
 * File-scope and static spread arrays: layout, the same base everywhere, bounds by PROCS, blocks of
 * any type, several in one declaration with ordinary names, extern and tentative declarations. */
#include "check.h"

#define N 7
struct cell { double value; int *global link; char tag; };

int A[N * PROCS]::, plain = 3, B[PROCS]::[4], *pointer = &plain;
double C[3][PROCS + 1]::;
char D[2][3][PROCS]::[2][5];
static struct cell S[2 * PROCS]::[3], T[1]::;
extern float E[PROCS * PROCS]::;
float E[PROCS * PROCS]::;
extern float E[PROCS * PROCS]::;
int *spread P[PROCS]::;
static short H[N]::[1];

static void same_base(check_word bits) {
  CHECK_INT(proc_of(bits), 0);
  CHECK_INT(all_reduce_to_all_max((int)(bits >> 4)), (int)(bits >> 4));
  CHECK_INT(all_reduce_to_all_min((int)(bits >> 4)), (int)(bits >> 4));
  CHECK_INT(address_of(bits) % 8, 0);
}

/* Everything is written by one processor, counted in its own way, and read as memory by its owner. */
static void layout(void) {
  int i, j, k;
  on_one {
    for (i = 0; i < N * PROCS; i++) A[i] = i;
    for (i = 0; i < 3; i++)
      for (j = 0; j <= PROCS; j++) C[i][j] = i * 100 + j;
    for (i = 0; i < PROCS; i++)
      for (k = 0; k < 4; k++) B[i][k] = i * 10 + k;
  }
  barrier();
  for (i = 0; i < N; i++) CHECK_INT(((int *)A)[i], i * PROCS + MYPROC);
  for (k = 0; k < 4; k++) CHECK_INT(((int *)B)[k], MYPROC * 10 + k);
  for (i = 0; i < 3 * (PROCS + 1); i++)
    if (i % PROCS == MYPROC)
      CHECK_DOUBLE(((double *)C)[i / PROCS], i / (PROCS + 1) * 100 + i % (PROCS + 1));
  barrier();
}

static void many_dimensions(void) {
  int i, j, k, l, m;
  const check_word base = spread_bits(D);
  for (i = 0; i < 2; i++)
    for (j = 0; j < 3; j++)
      for (k = 0; k < PROCS; k++) {
        const check_word block = spread_step(base, (i * 3 + j) * PROCS + k, 10);
        CHECK_GLOBAL(D[i][j][k], block);
        for (l = 0; l < 2; l++) {
          CHECK_GLOBAL(D[i][j][k][l], global_step(block, l, 5));
          for (m = 0; m < 5; m++) {
            CHECK_GLOBAL(&D[i][j][k][l][m], global_step(block, l * 5 + m, 1));
            if ((i + j + m) % PROCS == MYPROC) D[i][j][k][l][m] = i * 50 + j * 10 + l * 5 + m;
          }
        }
      }
  barrier();
  for (i = 0; i < 6; i++)
    for (l = 0; l < 10; l++) CHECK_INT(((char *)D)[i * 10 + l], i / 3 * 50 + i % 3 * 10 + l);
  CHECK_INT(D[1][2][PROCS - 1][1][4], 50 + 20 + 5 + 4);
  barrier();
}

static void of_structures(void) {
  int i;
  S[MYPROC][1].value = MYPROC / 4.0;
  S[MYPROC + PROCS][2].link = toglobal(NEXT, &plain);
  S[MYPROC][1].tag = 'a' + MYPROC;
  plain = 3 + MYPROC;
  on_one T[0].value = 8.5;
  barrier();
  for (i = 0; i < PROCS; i++) {
    struct cell c = S[i][1];
    CHECK_DOUBLE(c.value, i / 4.0);
    CHECK_INT(c.tag, 'a' + i);
    CHECK_INT(*S[i + PROCS][2].link, 3 + (i + 1) % PROCS);
  }
  CHECK_DOUBLE(T[0].value, 8.5);
  CHECK_DOUBLE(T->value, 8.5);
  CHECK_INT(*pointer, 3 + MYPROC);
  barrier();
}

static void bare_names(void) {
  CHECK_SPREAD(A, pair_at(0, (int *)A));
  CHECK_SPREAD(A + 1, spread_step(spread_bits(A), 1, 4));
  CHECK_SPREAD(B + 1, spread_step(spread_bits(B), 1, 16));
  CHECK_SPREAD(D + 1, spread_step(spread_bits(D), 1, 10));
  CHECK_SPREAD(S + PROCS, spread_step(spread_bits(S), PROCS, 3 * sizeof(struct cell)));
  CHECK_INT(*(A + PROCS), PROCS);
  CHECK_INT((*(B + MYPROC))[2], MYPROC * 10 + 2);
  CHECK_INT(*B[MYPROC], MYPROC * 10);
  CHECK(tolocal(A) == (int *)A);
  CHECK_INT(sizeof A[0], 4);
  CHECK_INT(sizeof B[0], 16);
  CHECK_INT(sizeof D[0][0][0], 10);
  CHECK_INT(sizeof D[0][0][0][1], 5);
  CHECK_INT(*(tolocal(B[MYPROC]) + 3), MYPROC * 10 + 3);
}

/* Zero at the start, as all static storage; kept from call to call. */
static void of_a_function(void) {
  static int calls[PROCS]::;
  extern int A[N * PROCS]::;
  CHECK_SPREAD(A + PROCS, pair_at(0, (int *)A + 1));
  CHECK_INT(calls[MYPROC], *(int *)E);
  calls[MYPROC]++;
  ((int *)E)[0]++;
}

splitc_main() {
  CHECK_INT(((int *)A)[0] + ((int *)A)[N - 1], 0);
  barrier();
  same_base(spread_bits(A));
  same_base(spread_bits(B));
  same_base(spread_bits(C));
  same_base(spread_bits(D));
  same_base(spread_bits(S));
  same_base(spread_bits(E));
  layout();
  many_dimensions();
  of_structures();
  bare_names();
  of_a_function();
  of_a_function();
  P[MYPROC] = A + MYPROC;
  H[MYPROC % N][0] = 7;
  barrier();
  CHECK_INT(*P[NEXT], NEXT);
  DONE;
}
