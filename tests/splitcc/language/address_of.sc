/* SPDX-License-Identifier: Apache-2.0
 * &lvalue: reached through a global or spread pointer, or within a block of a spread array, it is a
 * global pointer; &A[i] of a spread array without block dimensions is a spread pointer. Adding 1
 * tells which. */
#include "check.h"

struct inner {
  short pair[2];
};
struct outer {
  double head;
  struct inner in[3];
  int *global link;
  char name[10];
};

static struct outer here[2];
int A[3 * PROCS]::;
double B[2][PROCS]::[5];
struct outer C[PROCS]::[2];

static void through_pointers(void) {
  struct outer *global g = toglobal(NEXT, here);
  struct outer *spread s = (struct outer *spread)g;
  int *global p;
  CHECK_GLOBAL(&*g, pair_at(NEXT, here));
  CHECK_GLOBAL(&g->head, pair_at(NEXT, &here[0].head));
  CHECK_GLOBAL(&g->in[2].pair[1], pair_at(NEXT, &here[0].in[2].pair[1]));
  CHECK_GLOBAL(&(*g).in[1], pair_at(NEXT, &here[0].in[1]));
  CHECK_GLOBAL(&g[1].link, pair_at(NEXT, &here[1].link));
  CHECK_GLOBAL(&s->head + 1, global_step(pair_at(NEXT, &here[0].head), 1, 8));
  CHECK_GLOBAL(&s[PROCS].in[0] + 2, pair_at(NEXT, &here[1].in[2]));
  CHECK_GLOBAL(&s->in[1] + 1, pair_at(NEXT, &here[0].in[2]));
  CHECK_GLOBAL(&s[0] + 1, pair_at(NEXT, here + 1));
  CHECK_GLOBAL(&*s + 1, pair_at(NEXT, here + 1));
  /* Arrays decay to global pointers. */
  CHECK_GLOBAL(g->name + 3, pair_at(NEXT, &here[0].name[3]));
  CHECK_GLOBAL(s->in + 1, pair_at(NEXT, &here[0].in[1]));
  CHECK_GLOBAL(g->in[1].pair, pair_at(NEXT, here[0].in[1].pair));
  CHECK_GLOBAL(&g->name, pair_at(NEXT, here[0].name));
  CHECK_GLOBAL(&g->name + 1, global_step(pair_at(NEXT, here[0].name), 1, 10));
  /* Past a local pointer in remote memory the way goes on at home. */
  here[0].link = toglobal(MYPROC, &here[1].in[0]);
  barrier();
  p = g->link;
  CHECK_GLOBAL(&p[1], pair_at(NEXT, &here[1].in[1]));
  CHECK_GLOBAL(&g->link[1], pair_at(NEXT, &here[1].in[1]));
  barrier();
}

static void of_spread_arrays(void) {
  const check_word a = spread_bits(A), b = spread_bits(B), c = spread_bits(C);
  int i, j, k;
  for (i = 0; i < 3 * PROCS; i++) {
    CHECK_SPREAD(&A[i], spread_step(a, i, 4));
    CHECK_SPREAD(&A[i] + 1, spread_step(a, i + 1, 4));
    CHECK_SPREAD(&i[A], spread_step(a, i, 4));
    CHECK_GLOBAL(&A[i], spread_step(a, i, 4));
  }
  for (i = 0; i < 2; i++)
    for (j = 0; j < PROCS; j++)
      for (k = 0; k < 5; k++) {
        const check_word block = spread_step(b, i * PROCS + j, 40);
        CHECK_GLOBAL(&B[i][j][k], global_step(block, k, 8));
        CHECK_GLOBAL(&B[i][j][k] + 1, global_step(block, k + 1, 8));
        CHECK_GLOBAL(B[i][j], block);
        CHECK_GLOBAL(B[i][j] + k, global_step(block, k, 8));
        CHECK_GLOBAL(&B[i][j][0], block);
      }
  for (i = 0; i < PROCS; i++) {
    const check_word block = spread_step(c, i, 2 * sizeof(struct outer));
    CHECK_GLOBAL(&C[i][1].in[2].pair[1],
                 global_step(block, sizeof(struct outer) + (check_word)&((struct outer *)0)->in[2] +
                                        2, 1));
    CHECK_GLOBAL(C[i][1].name + 2,
                 global_step(block, sizeof(struct outer) + (check_word)((struct outer *)0)->name +
                                        2, 1));
  }
}

/* Addresses and nothing else: a loop that reads nothing. */
static void in_a_loop(void) {
  double *global p[PROCS];
  int i, offset[PROCS];
  for (i = 0; i < PROCS; i++) offset[i] = i % 5;
  for (i = 0; i < PROCS; i++) p[i] = &B[1][i][offset[i]];
  for (i = 0; i < PROCS; i++)
    CHECK_GLOBAL(p[i], global_step(spread_step(spread_bits(B), PROCS + i, 40), i % 5, 8));
}

/* What is local stays local. */
static void of_local_things(void) {
  struct outer o, *p = &o;
  int *spread s = &A[MYPROC], *spread *ps = &s;
  int i = 4, *pi = &i;
  CHECK(&p->in[1].pair[1] == &o.in[1].pair[1]);
  CHECK(&*p == &o);
  CHECK(*&i == 4 && &*pi == &i);
  CHECK(*ps == s);
  CHECK(&((struct outer *)toglobal(NEXT, here))->head == &here[0].head);
  CHECK(&((int *)s)[1] == (int *)s + 1);
}

splitc_main() {
  through_pointers();
  of_spread_arrays();
  in_a_loop();
  of_local_things();
  DONE;
}
