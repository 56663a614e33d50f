/* SPDX-License-Identifier: Apache-2.0
 * Pointers: taking apart and building, arithmetic, comparison. */
#include "cases.h"

enum { BYTES = 24 };

/* Floored division, and what is left over. */
static int64_t quotient(int64_t t, int64_t p) { return t / p - (t % p < 0); }
static int64_t remainder_of(int64_t t, int64_t p) { return t - quotient(t, p) * p; }

static void wrap_round_the_ranks(splitc_spread base) {
  const int p = ramjet_size();
  for (int n = -3 * p - 1; n <= 3 * p + 1; ++n) {
    const splitc_global at = splitc_to_global(splitc_spread_add(base, n, BYTES));
    EXPECT(splitc_toproc(at) == remainder_of(n, p));
    EXPECT((char*)splitc_tolocal(at) ==
           (char*)splitc_tolocal(splitc_to_global(base)) + quotient(n, p) * BYTES);
    EXPECT(splitc_spread_difference(splitc_to_spread(at), base, BYTES) == n);
    const splitc_spread next = splitc_spread_add(splitc_to_spread(at), 1, BYTES);
    EXPECT(splitc_spread_compare(splitc_to_spread(at), next) < 0);
    EXPECT(splitc_spread_compare(next, splitc_to_spread(at)) > 0);
    EXPECT(splitc_spread_compare(next, next) == 0);
  }
}

static void stay_on_their_rank(splitc_global base) {
  for (int n = -5; n <= 5; ++n) {
    const splitc_global at = splitc_global_add(base, n, BYTES);
    EXPECT(splitc_toproc(at) == splitc_toproc(base));
    EXPECT(splitc_global_difference(at, base, BYTES) == n);
    EXPECT(splitc_global_compare(at, base) == (n > 0) - (n < 0));
    EXPECT(splitc_equal(at, base) == (n == 0));
  }
}

void pointers(void) {
  const splitc_spread all = all_zeroed(BYTES * 16);
  const splitc_spread middle = splitc_spread_add(all, 8 * ramjet_size(), BYTES);
  wrap_round_the_ranks(middle);
  for (int r = 0; r < ramjet_size(); ++r) stay_on_their_rank(block_of(middle, r, BYTES));

  void* here = splitc_tolocal(splitc_to_global(all));
  for (int r = 0; r < ramjet_size(); ++r) {
    const splitc_global there = splitc_toglobal(r, here);
    EXPECT(splitc_toproc(there) == r && splitc_tolocal(there) == here);
    EXPECT(splitc_equal(there, block_of(all, r, BYTES * 16)));
  }
  EXPECT(splitc_toproc(splitc_global_of(here)) == ramjet_rank());
  EXPECT(splitc_is_null(splitc_toglobal(0, NULL)) && !splitc_is_null(splitc_global_of(here)));
  EXPECT(splitc_toproc(splitc_global_of(ramjet_segment_begin(right()))) == right());
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  splitc_all_spread_free(all);
}
