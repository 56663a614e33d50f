/* SPDX-License-Identifier: Apache-2.0
 * MYPROC, PROCS, PROCSLOG, reductions, broadcasts, gathers, scans, time; on_one, on_proc,
 * for_my_1d, for_my_2d. */
#include "check.h"
#include <split-c/control.h>

static int value(int proc, int round) { return (proc * 37 + round * 11) % 23 - 11; }

static void processors(void) {
  int log = -1, p;
  for (p = 0; 1 << p <= PROCS; p++)
    if (1 << p == PROCS) log = p;
  CHECK(MYPROC >= 0 && MYPROC < PROCS);
  if (log >= 0) CHECK_INT(PROCSLOG, log);
  else CHECK(PROCSLOG < 0);
  CHECK_INT(sizeof MYPROC, sizeof(int));
  CHECK_INT(-PROCS / 2 * 2 + PROCS, PROCS % 2);
  CHECK_INT(PROCS - 1 - MYPROC, PROCS - MYPROC - 1);
}

#define FOLD(OP, START)                                        \
  ({                                                           \
    int fold = START, p;                                       \
    for (p = 0; p < PROCS; p++) { int v = value(p, round); fold = OP; } \
    fold;                                                      \
  })
#define SCAN(OP, START)                                        \
  ({                                                           \
    int fold = START, p;                                       \
    for (p = 0; p <= MYPROC; p++) { int v = value(p, round); fold = OP; } \
    fold;                                                      \
  })

static void reductions(void) {
  int round, p;
  for (round = 0; round < 10; round++) {
    const int mine = value(MYPROC, round);
    double sum = 0, largest = -1e9, least = 1e9;
    int r;
    for (p = 0; p < PROCS; p++) {
      sum += value(p, round) / 4.0;
      largest = value(p, round) / 4.0 > largest ? value(p, round) / 4.0 : largest;
      least = value(p, round) / 4.0 < least ? value(p, round) / 4.0 : least;
    }
    CHECK_INT(all_reduce_to_all_add(mine), FOLD(fold + v, 0));
    CHECK_INT(all_reduce_to_all_max(mine), FOLD(fold > v ? fold : v, -1000));
    CHECK_INT(all_reduce_to_all_min(mine), FOLD(fold < v ? fold : v, 1000));
    CHECK_INT(all_reduce_to_all_or(mine), FOLD(fold | v, 0));
    CHECK_INT(all_reduce_to_all_and(mine), FOLD(fold & v, -1));
    CHECK_INT(all_reduce_to_all_xor(mine), FOLD(fold ^ v, 0));
    CHECK_DOUBLE(all_reduce_to_all_dadd(mine / 4.0), sum);
    CHECK_DOUBLE(all_reduce_to_all_dmax(mine / 4.0), largest);
    CHECK_DOUBLE(all_reduce_to_all_dmin(mine / 4.0), least);
    r = all_reduce_to_one_add(mine);
    on_one CHECK_INT(r, FOLD(fold + v, 0));
    CHECK_INT(all_scan_add(mine), SCAN(fold + v, 0));
    CHECK_INT(all_scan_max(mine), SCAN(fold > v ? fold : v, -1000));
    CHECK_INT(all_scan_min(mine), SCAN(fold < v ? fold : v, 1000));
    CHECK_INT(all_scan_xor(mine), SCAN(fold ^ v, 0));
  }
}

static void broadcasts(void) {
  int round, v[PROCS + 1], w[PROCS + 1], p;
  double d[PROCS + 1];
  for (round = 0; round < 5; round++) {
    CHECK_INT(all_bcast(MYPROC * 10 + round), round);
    CHECK_INT(all_bcast_i(7 - MYPROC), 7);
    CHECK_DOUBLE(all_bcast_d(MYPROC + 0.5), 0.5);
    v[PROCS] = w[PROCS] = -1;
    d[PROCS] = -1;
    v[0] = mark(MYPROC, round);
    w[0] = mark(MYPROC, round + 1);
    d[0] = MYPROC / 8.0;
    all_gather(v);
    all_concat(w);
    all_gather_d(d);
    for (p = 0; p < PROCS; p++) {
      CHECK_INT(w[p], mark(p, round + 1));
      on_one {
        CHECK_INT(v[p], mark(p, round));
        CHECK_DOUBLE(d[p], p / 8.0);
      }
    }
    CHECK(v[PROCS] == -1 && w[PROCS] == -1 && d[PROCS] == -1);
  }
}

static int count;
static void prefixes(void) {
  int p, ones = 0, others = 0;
  on_one count++;
  on_one { count++; }
  on_proc(PROCS - 1) count += 10;
  on_proc (MYPROC) ones++;
  for (p = 0; p < PROCS; p++) on_proc(p) count += 100;
  if (MYPROC >= 0) on_one ones++;
  else others++; /* of the `if` */
  on_one if (count == 0) others++;
  on_one for (p = 0; p < 3; p++) ones++;
  on_one while (p-- > 0) ones++;
  CHECK_INT(others, 0);
  CHECK_INT(ones, MYPROC == 0 ? 8 : 1);
  CHECK_INT(count, (MYPROC == 0 ? 2 : 0) + (MYPROC == PROCS - 1 ? 10 : 0) + 100);
}

static void shares(void) {
  int i, j, seen = 0, pairs = 0, n = 29;
  for_my_1d(i, n) {
    CHECK_INT(i % PROCS, MYPROC);
    if (i == n - 1) continue;
    seen += 1;
  }
  for_my_2d(i, j, 5, 7) {
    CHECK(i >= 0 && i < 5 && j >= 0 && j < 7);
    CHECK_INT((i * 7 + j) % PROCS, MYPROC);
    pairs++;
  }
  CHECK_INT(all_reduce_to_all_add(seen), n - 1);
  CHECK_INT(all_reduce_to_all_add(pairs), 35);
}

static void barriers_and_time(void) {
  static int arrived;
  double before = get_seconds(), after;
  int round, p;
  for (round = 1; round < 30; round++) {
    arrived = round;
    barrier();
    for (p = 0; p < PROCS; p++) CHECK(*toglobal(p, &arrived) == round);
    barrier();
  }
  after = get_seconds();
  CHECK(before >= 0 && after >= before && after < 1000);
}

splitc_main() {
  processors();
  reductions();
  broadcasts();
  prefixes();
  shares();
  barriers_and_time();
  DONE;
}
