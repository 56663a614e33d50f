/* SPDX-License-Identifier: Apache-2.0
 * Spread memory, and the library of Split-C under its own names. */
#include <ramjet/splitc_names.h>

#include "cases.h"

void spread_memory(void) {
  splitc_frame outer, inner;
  splitc_frame_begin(&outer);
  const splitc_spread a = splitc_frame_allocate(&outer, (size_t)(2 * PROCS + 1), 8);
  splitc_frame_begin(&inner);
  const splitc_spread b = splitc_frame_allocate(&inner, (size_t)PROCS, 24);
  for (int i = MYPROC; i < 2 * PROCS + 1; i += PROCS)
    splitc_write_int64(splitc_to_global(splitc_spread_add(a, i, 8)), i * i);
  splitc_write_int64(splitc_to_global(splitc_spread_add(b, MYPROC, 24)), -1);
  barrier();
  for (int i = 0; i < 2 * PROCS + 1; ++i)
    EXPECT(splitc_read_int64(splitc_to_global(splitc_spread_add(a, i, 8))) == i * i);
  barrier();
  splitc_frame_end(&inner);
  splitc_frame_begin(&inner); /* the same place again */
  EXPECT(splitc_frame_allocate(&inner, (size_t)PROCS, 24).bits == b.bits);
  splitc_frame_end(&inner);
  splitc_frame_end(&outer);
  EXPECT(splitc_all_spread_malloc(SIZE_MAX, 8).bits == 0);
}

static void sums_and_scans(void) {
  const int p = PROCS, me = MYPROC;
  EXPECT(all_reduce_to_one_add(me + 1) == (me == 0 ? p * (p + 1) / 2 : me + 1));
  EXPECT(all_reduce_to_all_add(me + 1) == p * (p + 1) / 2);
  EXPECT(all_reduce_to_all_max(me) == p - 1 && all_reduce_to_all_min(me + 3) == 3);
  EXPECT(all_reduce_to_all_or(1 << me) == (1 << p) - 1);
  EXPECT(all_reduce_to_all_and(~(1 << me)) == ~((1 << p) - 1));
  EXPECT(all_reduce_to_all_xor(5) == (p % 2 ? 5 : 0));
  EXPECT(all_reduce_to_all_dadd(0.5) == 0.5 * p);
  EXPECT(all_reduce_to_all_dmax(-1.0 * me) == 0 && all_reduce_to_all_dmin(-1.0 * me) == 1.0 - p);
  EXPECT(all_scan_add(2) == 2 * (me + 1));
  EXPECT(all_scan_max(me) == me && all_scan_min(-me) == -me);
  EXPECT(all_scan_or(1 << me) == (2 << me) - 1 && all_scan_and(~(1 << me)) == ~((2 << me) - 1));
  EXPECT(all_scan_xor(1) == (me + 1) % 2 && all_scan_dadd(0.25) == 0.25 * (me + 1));
}

static void values_of_all(void) {
  int v[64];
  double d[64];
  EXPECT(PROCS <= 64);
  EXPECT(all_bcast(MYPROC + 9) == 9 && all_bcast_i(MYPROC - 9) == -9 && all_bcast_d(MYPROC) == 0);
  v[0] = MYPROC * 3;
  all_concat(v);
  for (int j = 0; j < PROCS; ++j) EXPECT(v[j] == 3 * j);
  v[0] = MYPROC + 1;
  d[0] = MYPROC + 0.5;
  all_gather(v);
  all_gather_d(d);
  on_one {
    for (int j = 0; j < PROCS; ++j) EXPECT(v[j] == j + 1 && d[j] == j + 0.5);
  }
}

static void shares(void) {
  int i, j, seen = 0, last = -1;
  for_my_1d(i, 100)++ seen;
  EXPECT(all_reduce_to_all_add(seen) == 100);
  seen = 0;
  for_my_2d(i, j, 7, 5) {
    EXPECT((i * 5 + j) % PROCS == MYPROC && i * 5 + j > last);
    last = i * 5 + j;
    ++seen;
  }
  EXPECT(all_reduce_to_all_add(seen) == 35);
}

/* The program of a summer's day: spread memory, stores, bulk, atomic operations. */
static void accesses_by_name(void) {
  EXPECT(all_spread_malloc(-1, 8).bits == 0 && all_spread_malloc(1, -8).bits == 0);
  splitc_spread s = all_spread_malloc(PROCS, sizeof(int));
  const splitc_global mine = splitc_to_global(splitc_spread_add(s, MYPROC, sizeof(int)));
  const splitc_global next = splitc_to_global(splitc_spread_add(s, right(), sizeof(int)));
  int value = MYPROC, got = 0;
  bulk_write(next, &value, (int)sizeof value);
  barrier();
  bulk_read(&got, mine, (int)sizeof got);
  EXPECT(got == (MYPROC + PROCS - 1) % PROCS);
  barrier();
  bulk_put(next, &got, (int)sizeof got);
  bulk_put(next, &value, -4); /* nothing */
  sync();
  EXPECT(is_sync());
  bulk_get(&value, next, (int)sizeof value);
  sync();
  EXPECT(value == got);
  barrier();
  bulk_store(next, &value, (int)sizeof value);
  store_sync((int)sizeof value);
  reset_store_sync();
  bulk_store(next, &value, (int)sizeof value);
  all_store_sync();
  barrier();
  const splitc_global first = splitc_to_global(s);
  on_one splitc_write_int32(first, 0);
  barrier();
  fetch_and_add(first, 1);
  barrier();
  EXPECT(splitc_read_int32(first) == PROCS);
  barrier();
  on_proc(PROCS - 1) {
    EXPECT(exchange(first, 0) == PROCS && cmp_and_swap(first, 0, 5) == 0);
    EXPECT(test_and_set(first) == 5 && test_and_set(first) == 1);
  }
  barrier();
  all_spread_free(s);
}

void split_c_names(void) {
  const double before = get_seconds();
  int log = 0;
  while (1 << log < PROCS) ++log;
  EXPECT(PROCSLOG == (1 << log == PROCS ? log : -1));
  sums_and_scans();
  values_of_all();
  shares();
  accesses_by_name();
  EXPECT(get_seconds() > before);
}
