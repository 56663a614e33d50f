/* SPDX-License-Identifier: Apache-2.0
 * Atomic operations, atomic procedures, locks. */
#include <string.h>

#include "cases.h"

void atomics(void) {
  const splitc_spread all = all_zeroed(64);
  const splitc_global at = block_of(all, right(), 64);
  splitc_write_int32(at, 12);
  EXPECT(splitc_fetch_add_int32(at, 5) == 12);
  EXPECT(splitc_fetch_and_uint32(at, 0x1c) == 17);
  EXPECT(splitc_fetch_or_uint32(at, 3) == 16);
  EXPECT(splitc_fetch_xor_uint32(at, 0xff) == 19);
  EXPECT(splitc_exchange_int32(at, -1) == 0xec);
  EXPECT(splitc_compare_swap_int32(at, 7, 8) == -1);
  EXPECT(splitc_compare_swap_int32(at, -1, 8) == -1);
  splitc_add_int32(at, 2);
  EXPECT_OK(splitc_sync());
  EXPECT(splitc_read_int32(at) == 10);

  const splitc_global wide = splitc_global_add(at, 1, 8);
  splitc_write_int64(wide, INT64_C(1) << 40);
  EXPECT(splitc_fetch_add_int64(wide, 1) == INT64_C(1) << 40);
  EXPECT(splitc_fetch_and_uint64(wide, ~UINT64_C(1)) == (UINT64_C(1) << 40) + 1);
  EXPECT(splitc_fetch_or_uint64(wide, 6) == UINT64_C(1) << 40);
  EXPECT(splitc_fetch_xor_uint64(wide, UINT64_C(1) << 40) == (UINT64_C(1) << 40) + 6);
  EXPECT(splitc_exchange_int64(wide, -5) == 6);
  EXPECT(splitc_compare_swap_int64(wide, -5, 9) == -5);
  splitc_add_int64(wide, -9);
  EXPECT_OK(splitc_sync());
  EXPECT(splitc_read_int64(wide) == 0);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  splitc_all_spread_free(all);
}

/* A total and how often it changed. */
typedef struct account {
  int64_t total;
  int64_t changes;
} account;

static splitc_procedure *deposit, *look;

static uint64_t do_deposit(void* at, const uint64_t* arguments, unsigned count) {
  account* a = at;
  for (unsigned i = 0; i < count; ++i) a->total += (int64_t)arguments[i];
  return (uint64_t)++a->changes;
}
static uint64_t do_look(void* at, const uint64_t* arguments, unsigned count) {
  (void)arguments;
  EXPECT(count == 0);
  return (uint64_t)((const account*)at)->total * 1000 + (uint64_t)ramjet_rank();
}
void name_procedures(void) {
  deposit = splitc_procedure_named("deposit", do_deposit, sizeof(account));
  look = splitc_procedure_named("look", do_look, sizeof(account));
}

void procedures(void) {
  const splitc_spread all = all_zeroed(sizeof(account));
  const splitc_global there = block_of(all, right(), sizeof(account));
  const uint64_t amounts[RAMJET_ARGUMENTS_MAX] = {1, 2, 3, 4, 5, 6, 7, (uint64_t)-8};
  uint64_t result = 0;
  EXPECT_OK(splitc_atomic_call(deposit, there, amounts, RAMJET_ARGUMENTS_MAX, &result));
  EXPECT(result == 1);
  EXPECT_OK(splitc_atomic_call(look, there, NULL, 0, &result));
  EXPECT(result == 20 * 1000 + (uint64_t)right());
  EXPECT_OK(splitc_atomic_call(deposit, there, amounts, 1, NULL));
  for (int i = 0; i < 100; ++i) EXPECT_OK(splitc_atomic(deposit, there, amounts, 2));
  EXPECT_OK(splitc_sync());
  EXPECT(splitc_is_sync());
  EXPECT(splitc_read_int64(there) == 21 + 300);
  EXPECT(splitc_read_int64(splitc_global_add(there, 1, 8)) == 102);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  splitc_all_spread_free(all);
}

void locks(void) {
  const splitc_spread all = all_zeroed(64);
  const splitc_global sum = block_of(all, 0, 64);
  splitc_global lock = {0};
  if (ramjet_rank() == 0) lock = splitc_lock_make();
  EXPECT_OK(ramjet_broadcast(&lock, sizeof lock, 0, RAMJET_WORLD));
  for (int i = 0; i < 200; ++i) {
    if (i % 3 != 0 || !splitc_try_lock(lock)) EXPECT_OK(splitc_lock(lock));
    splitc_write_int64(sum, splitc_read_int64(sum) + 1);
    splitc_unlock(lock);
  }
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  EXPECT(splitc_read_int64(sum) == 200 * ramjet_size());
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  if (ramjet_rank() == 0) splitc_lock_destroy(lock);
  splitc_all_spread_free(all);
}

int misuse(const char* name) {
  const splitc_global null = {0};
  const splitc_global first = splitc_toglobal(0, ramjet_segment_begin(0));
  const uint64_t words[9] = {0};
  char buffer[100] = {0};
  if (strcmp(name, "read_null") == 0) {
    splitc_read_int32(null);
  } else if (strcmp(name, "write_no_rank") == 0) {
    splitc_write_double(splitc_toglobal(77, ramjet_segment_begin(0)), 1);
  } else if (strcmp(name, "bulk_past_end") == 0) {
    const ptrdiff_t end = (ptrdiff_t)ramjet_segment_bytes();
    splitc_bulk_write(splitc_global_add(first, end - 40, 1), buffer, sizeof buffer);
  } else if (strcmp(name, "procedure_words") == 0) {
    EXPECT_OK(splitc_atomic(deposit, first, words, 9));
  } else if (strcmp(name, "null_procedure") == 0) {
    EXPECT_OK(splitc_atomic(NULL, first, words, 1));
  } else if (strcmp(name, "procedure_without_words") == 0) {
    EXPECT_OK(splitc_atomic(deposit, first, NULL, 2));
  } else if (strcmp(name, "null_indices") == 0) {
    splitc_read_each(buffer, first, NULL, 3, 8);
  } else if (strcmp(name, "empty_elements") == 0) {
    return (int)splitc_global_difference(first, first, strlen(""));
  } else if (strcmp(name, "empty_blocks") == 0) {
    const splitc_spread all = {0};
    return (int)splitc_spread_difference(all, all, strlen(""));
  } else if (strcmp(name, "unlock_open") == 0) {
    splitc_unlock(splitc_lock_make());
  }
  return 2;
}
