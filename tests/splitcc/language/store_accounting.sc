/* SPDX-License-Identifier: Apache-2.0
 * Bytes sent, bytes received, credit: all_store_sync consumes what had arrived when it sampled,
 * store_sync(n) consumes n, reset_store_sync drops the credit and nothing else. The phases that
 * programs go through: stores, all_store_sync, a tree broadcast by store_sync, stores again. */
#include "check.h"

#define N 200

static int row[N], table[64], ring[8], flags[64];

/* all_store_sync waits for every store issued anywhere before it. */
static void all_to_all(int round) {
  int i, p;
  for (i = 0; i < N; i++)
    for (p = 0; p < PROCS; p++)
      if (i % PROCS == MYPROC) toglobal((p + i) % PROCS, row)[i] :- mark(round, i);
  all_store_sync();
  for (i = 0; i < N; i++) CHECK_INT(row[i], mark(round, i));
  barrier();
}

/* A binary tree: each receiver waits for its bytes, drops the rest, forwards. What it finds is
 * known only if nobody stores anything else meanwhile. */
static void tree(int round, int n, int is_alone) {
  int child, i;
  on_one for (i = 0; i < n; i++) table[i] = mark(round, i);
  if (MYPROC != 0) {
    store_sync(n * sizeof(int));
    reset_store_sync();
  }
  for (child = 2 * MYPROC + 1; child <= 2 * MYPROC + 2; child++)
    if (child < PROCS) bulk_store(toglobal(child, table), table, n * sizeof(int));
  for (i = 0; i < n && is_alone; i++) CHECK_INT(table[i], mark(round, i));
}

static void the_programs_phases(void) {
  int round;
  for (round = 0; round < 12; round++) {
    all_to_all(round);
    tree(round, 64, 1);
    barrier();
    all_to_all(round + 100);
    tree(round + 50, 7, 0);
    all_to_all(round + 200);
  }
}

/* store_sync counts exactly, in any portions, of any types. */
static void portions(void) {
  struct { char c[5]; } five = {"abcd"}, *global f;
  static char bytes[16];
  static double reals[2];
  int *global g = toglobal(NEXT, ring);
  double *global d = toglobal(NEXT, reals);
  char *global c = toglobal(NEXT, bytes);
  all_store_sync();
  g[0] :- 1;
  store_sync(4);
  CHECK_INT(ring[0], 1);
  barrier();
  g[1] :- 2;
  g[2] :- 3;
  c[0] :- 'x';
  c[1] :- 'y';
  d[1] :- 0.5;
  store_sync(5);
  store_sync(2);
  store_sync(11);
  CHECK(ring[1] == 2 && ring[2] == 3 && bytes[0] == 'x' && bytes[1] == 'y' && reals[1] == 0.5);
  barrier();
  f = (void *global)(c + 4);
  *f :- five;
  bulk_store(g + 3, ring, 12);
  store_sync(17);
  CHECK_INT(bytes[7], 'd');
  CHECK_INT(ring[5], 3);
  store_sync(0);
  barrier();
}

/* A ring: each step needs the bytes of the step before, and no barrier. */
static void around(void) {
  static int token[50];
  int round;
  all_store_sync();
  for (round = 0; round < 50; round++) {
    if (MYPROC == 0) {
      toglobal(NEXT, token)[round] :- round;
      store_sync(4);
      CHECK_INT(token[round], round + PROCS - 1);
    } else {
      store_sync(4);
      toglobal(NEXT, token)[round] :- token[round] + 1;
    }
  }
  all_store_sync();
}

/* Bytes of a faster processor's next phase survive all_store_sync of the phase before. */
static void faster_neighbour(void) {
  int round, i;
  volatile double x = 1;
  for (round = 0; round < 30; round++) {
    toglobal(NEXT, flags)[0] :- round;
    all_store_sync();
    CHECK_INT(flags[0], round);
    /* The faster do this while others are still in all_store_sync. */
    if (MYPROC % 2) for (i = 0; i < 2000; i++) x += 1 / x;
    toglobal(NEXT, flags)[1 + round % 2] :- round;
    toglobal(NEXT, flags)[3 + round % 2] :- -round;
    store_sync(8);
    CHECK_INT(flags[1 + round % 2], round);
    CHECK_INT(flags[3 + round % 2], -round);
    barrier();
  }
  all_store_sync();
}

/* What all_store_sync waited for is no longer credit. */
static void credit_is_consumed(void) {
  int *global g = toglobal(NEXT, ring);
  static int late;
  all_store_sync();
  g[0] :- 1;
  g[1] :- 2;
  all_store_sync();
  late = 0;
  barrier();
  *toglobal(NEXT, &late) :- mark(MYPROC, 9);
  store_sync(4); /* would return at once by the eight bytes of before */
  CHECK_INT(late, mark(PREVIOUS, 9));
  barrier();
  g[2] :- 5;
  g[3] :- 6;
  barrier();
  all_store_sync();
  late = 0;
  barrier();
  reset_store_sync();
  barrier();
  *toglobal(NEXT, &late) :- mark(MYPROC, 10);
  store_sync(4);
  CHECK_INT(late, mark(PREVIOUS, 10));
  barrier();
}

/* After a reset the global sums still agree. */
static void reset_touches_credit_alone(void) {
  int round;
  for (round = 0; round < 10; round++) {
    toglobal((MYPROC + round) % PROCS, table)[MYPROC % 64] :- mark(MYPROC, round);
    if (round % 3 == MYPROC % 3) reset_store_sync();
    all_store_sync();
    CHECK_INT(table[(MYPROC + PROCS * 10 - round) % PROCS % 64],
              mark((MYPROC + PROCS * 10 - round) % PROCS, round));
    if (round % 2 == MYPROC % 2) reset_store_sync();
    barrier();
  }
}

splitc_main() {
  the_programs_phases();
  portions();
  around();
  faster_neighbour();
  credit_is_consumed();
  reset_touches_credit_alone();
  DONE;
}
