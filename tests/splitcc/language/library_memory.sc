/* SPDX-License-Identifier: Apache-2.0
 * all_spread_malloc and all_spread_free: count blocks, block 0 on processor 0, one base for all,
 * null on failure; and the late atomic operations, is_sync. */
#include "check.h"

typedef struct { int key; double weights[4]; } block_t;

static void blocks(int count, int bytes) {
  char *spread s = all_spread_malloc(count, bytes), *global g;
  int i, k;
  CHECK(s != NULL && s);
  CHECK_INT(toproc(s), 0);
  CHECK_INT(address_of(spread_bits(s)) % 8, 0);
  CHECK_INT(all_reduce_to_all_max((int)(spread_bits(s) >> 4)), (int)(spread_bits(s) >> 4));
  for (i = MYPROC; i < count; i += PROCS) {
    set_bits(&g, spread_step(spread_bits(s), i, bytes));
    CHECK_INT(toproc(g), MYPROC);
    for (k = 0; k < bytes; k++) g[k] = i * 3 + k;
  }
  barrier();
  for (i = 0; i < count; i++) {
    set_bits(&g, spread_step(spread_bits(s), i, bytes));
    CHECK_INT(g[0], (char)(i * 3));
    CHECK_INT(g[bytes - 1], (char)(i * 3 + bytes - 1));
  }
  all_spread_free(s);
}

static void typed(void) {
  block_t *spread s = (block_t *spread)all_spread_malloc(3 * PROCS, sizeof(block_t)), *mine;
  double (*spread matrix)[PROCS] = all_spread_malloc(PROCS, PROCS * sizeof(double));
  int i;
  mine = (block_t *)(s + MYPROC);
  for (i = 0; i < 3; i++) mine[i].key = mark(MYPROC, i);
  matrix[MYPROC][MYPROC] = 1;
  matrix[NEXT][MYPROC] = 2 - (NEXT == MYPROC);
  barrier();
  for (i = 0; i < 3 * PROCS; i++) CHECK_INT(s[i].key, mark(i % PROCS, i / PROCS));
  CHECK_INT((s + NEXT)->key, mark(NEXT, 0));
  for (i = 0; i < PROCS; i++) CHECK_DOUBLE(matrix[i][i], 1);
  CHECK_DOUBLE(matrix[MYPROC][PREVIOUS], PROCS == 1 ? 1 : 2);
  all_spread_free(matrix);
  all_spread_free(s);
}

/* Freed memory comes back; what cannot be had is null, everywhere. */
static void many(void) {
  void *spread several[8];
  int round, i;
  for (round = 0; round < 50; round++) {
    for (i = 0; i < 8; i++) {
      several[i] = all_spread_malloc(PROCS, 100000);
      CHECK(several[i] != 0);
    }
    for (i = 0; i < 8; i++) all_spread_free(several[(i * 3) % 8]);
  }
  several[0] = all_spread_malloc(PROCS * 2000, 1 << 30);
  CHECK(several[0] == NULL);
  CHECK(!several[0]);
}

static int counter, flag, slot;

static void atomics(void) {
  int *global g = toglobal(0, &counter), *global f = toglobal(PROCS - 1, &flag), i, old, won = 0;
  for (i = 0; i < 200; i++) {
    old = fetch_and_add(g, 1);
    CHECK(old >= i);
  }
  won = test_and_set(f) == 0;
  CHECK_INT(all_reduce_to_all_add(won), 1);
  on_one CHECK_INT(counter, 200 * PROCS);
  barrier();
  CHECK_INT(*f, 1);
  g = toglobal(NEXT, &slot);
  old = exchange(g, MYPROC + 1);
  CHECK_INT(old, 0);
  CHECK_INT(cmp_and_swap(g, MYPROC + 1, 50), MYPROC + 1);
  CHECK_INT(cmp_and_swap(g, MYPROC + 1, 60), 50);
  CHECK_INT(fetch_and_add(g, -8), 50);
  barrier();
  CHECK_INT(slot, 42);
  barrier();
}

static void is_it_done(void) {
  int x, *global g = toglobal(NEXT, &slot);
  x := *g;
  while (!is_sync())
    ;
  CHECK_INT(x, 42);
  *g := 43;
  sync();
  CHECK(is_sync());
  barrier();
  CHECK_INT(slot, 43);
}

splitc_main() {
  blocks(1, 1);
  blocks(PROCS, 8);
  blocks(3 * PROCS + 1, 24);
  blocks(PROCS + 2, 1000);
  typed();
  many();
  atomics();
  is_it_done();
  DONE;
}
