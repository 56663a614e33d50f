/* SPDX-License-Identifier: Apache-2.0
 * Reads, writes, gets and puts of every type, bulk copies, stores and their accounting, signals. */
#include <string.h>

#include "cases.h"

#define TRY_TYPE(name, type, from_number)                                           \
  static void try_##name(splitc_global at) {                                        \
    for (int n = 0; n < 3; ++n) {                                                   \
      const type value = (type)(from_number);                                       \
      type got = 0;                                                                 \
      splitc_write_##name(at, value);                                               \
      EXPECT(splitc_read_##name(at) == value);                                      \
      splitc_put_##name(splitc_global_add(at, 1, sizeof(type)), (type)(value + 1)); \
      EXPECT_OK(splitc_sync());                                                     \
      splitc_get_##name(&got, splitc_global_add(at, 1, sizeof(type)));              \
      EXPECT_OK(splitc_sync());                                                     \
      EXPECT(splitc_is_sync() && got == (type)(value + 1));                         \
      EXPECT(splitc_read_##name(at) == value); /* the neighbour is undisturbed */   \
    }                                                                               \
  }
TRY_TYPE(int8, int8_t, 100 - 70 * n)
TRY_TYPE(int16, int16_t, 30000 - 20000 * n)
TRY_TYPE(int32, int32_t, INT64_C(2000000000) - INT64_C(1500000000) * n)
TRY_TYPE(int64, int64_t, INT64_C(9000000000000000000) - INT64_C(4000000000000000000) * n)
TRY_TYPE(uint8, uint8_t, 250 - n)
TRY_TYPE(uint16, uint16_t, 65000 - n)
TRY_TYPE(uint32, uint32_t, UINT32_C(4000000000) - (uint32_t)n)
TRY_TYPE(uint64, uint64_t, UINT64_C(18000000000000000000) - (uint64_t)n)
TRY_TYPE(float, float, 1.5f - (float)n)
TRY_TYPE(double, double, 0.1 - n)

static void every_type(splitc_global at) {
  try_int8(at);
  try_int16(at);
  try_int32(at);
  try_int64(at);
  try_uint8(at);
  try_uint16(at);
  try_uint32(at);
  try_uint64(at);
  try_float(at);
  try_double(at);
}

#pragma pack(push, 1)
struct wire {
  char tag;
  int32_t length;
  double value;
  char end;
};
#pragma pack(pop)

/* Values that are not aligned to their size. */
static void packed_structure(splitc_global at) {
  const splitc_global length = splitc_global_add(at, 1, 1), value = splitc_global_add(at, 5, 1);
  const struct wire before = {'t', 0, 0, 'e'};
  splitc_bulk_write(at, &before, sizeof before);
  splitc_write_int32(length, -77);
  EXPECT(splitc_read_int32(length) == -77);
  splitc_put_double(value, 2.5);
  EXPECT_OK(splitc_sync());
  double got = 0;
  splitc_get_double(&got, value);
  EXPECT_OK(splitc_sync());
  EXPECT(got == 2.5);
  struct wire whole;
  splitc_bulk_read(&whole, at, sizeof whole);
  EXPECT(whole.tag == 't' && whole.length == -77 && whole.value == 2.5 && whole.end == 'e');
}

enum { BYTES = 4096 };

static void fill(char* to, int key) {
  for (int i = 0; i < BYTES; ++i) to[i] = (char)(i * 7 + key + i / 256);
}

static void bulk_of_all_kinds(splitc_global there) {
  char out[BYTES], in[BYTES];
  fill(out, ramjet_rank());
  splitc_bulk_write(there, out, BYTES);
  splitc_bulk_read(in, there, BYTES);
  EXPECT(memcmp(in, out, BYTES) == 0);
  fill(out, ramjet_rank() + 100);
  splitc_bulk_put(there, out, BYTES);
  EXPECT_OK(splitc_sync());
  memset(in, 0, sizeof in);
  splitc_bulk_get(in, there, BYTES);
  EXPECT_OK(splitc_sync());
  EXPECT(memcmp(in, out, BYTES) == 0);
  splitc_bulk_put(there, NULL, 0);
}

/* Every other row of 16 bytes goes out, closely packed, and comes back spread out. */
static void rectangles(splitc_global there) {
  char out[BYTES], in[BYTES];
  const splitc_rectangle shape = {16, 16, 32, 16};
  fill(out, 3);
  splitc_bulk_write_rows(there, out, shape);
  memset(in, 0, sizeof in);
  splitc_bulk_read_rows(in, there, shape);
  for (int row = 0; row < 16; ++row) EXPECT(memcmp(in + 32 * row, out + 32 * row, 16) == 0);
  EXPECT(in[16] == 0);
  splitc_bulk_put_rows(there, out + 16, shape);
  EXPECT_OK(splitc_sync());
  splitc_bulk_get_rows(in, there, shape);
  EXPECT_OK(splitc_sync());
  EXPECT(memcmp(in + 32, out + 48, 16) == 0);
}

/* Elements by their indices, of one rank's array, and of one that goes round the ranks. */
static void elements_of_one_rank(splitc_global there) {
  enum { COUNT = 200 };
  uint64_t indices[COUNT];
  int64_t values[COUNT], got[COUNT + 1] = {0};
  for (int k = 0; k < COUNT; ++k) {
    indices[k] = (uint64_t)(k * 77 % 400);
    values[k] = k - 50 * ramjet_rank();
  }
  splitc_write_each(there, indices, COUNT, values, sizeof *values);
  splitc_add_each_int64(there, indices, COUNT, values);
  got[COUNT] = -1;
  splitc_read_each(got, there, indices, COUNT, sizeof *got);
  for (int k = 0; k < COUNT; ++k) EXPECT(got[k] == 2 * values[k]);
  EXPECT(got[COUNT] == -1);
  const int32_t one = 1;
  splitc_write_int32(there, 0);
  splitc_add_each_int32(there, indices, 1, &one);
  EXPECT(splitc_read_int32(there) == 1);
  struct triple {
    char bytes[3];
  } some[2] = {{"ab"}, {"cd"}}, read[2];
  splitc_write_each(there, indices + 1, 2, some, sizeof *some);
  splitc_read_each(read, there, indices + 1, 2, sizeof *read);
  EXPECT(memcmp(read, some, sizeof read) == 0);
  splitc_read_each(NULL, there, NULL, 0, sizeof *read);
}

static void elements_round_the_ranks(void) {
  const uint64_t count = 10 * (uint64_t)ramjet_size();
  const splitc_spread all = splitc_all_spread_malloc(count, sizeof(int64_t));
  EXPECT(all.bits != 0);
  uint64_t indices[20];
  int64_t values[20], got[20];
  int mine = 0;
  for (uint64_t i = (uint64_t)ramjet_rank(); i < count; i += (uint64_t)ramjet_size()) {
    indices[mine] = count - 1 - i;
    values[mine++] = (int64_t)i * 3;
  }
  splitc_spread_write_each(all, indices, (size_t)mine, values, sizeof *values);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  splitc_spread_add_each_int64(all, indices, (size_t)mine, values);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  for (uint64_t k = 0; k < 20; ++k) indices[k] = k * 7 % count;
  splitc_spread_read_each(got, all, indices, 20, sizeof *got);
  for (int k = 0; k < 20; ++k) EXPECT(got[k] == (int64_t)(count - 1 - indices[k]) * 6);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  const int32_t low = 1;
  const uint64_t own = (uint64_t)ramjet_rank();
  splitc_spread_add_each_int32(all, &own, 1, &low); /* half as wide: another's word, once each */
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  indices[0] = own;
  splitc_spread_read_each(got, all, indices, 1, sizeof *got);
  EXPECT(got[0] == (int64_t)(count - 1 - own) * 6 + 1);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  splitc_all_spread_free(all);
}

void accesses(void) {
  const splitc_spread all = all_zeroed(BYTES);
  const splitc_global there = block_of(all, right(), BYTES);
  every_type(there);
  packed_structure(there);
  bulk_of_all_kinds(there);
  rectangles(there);
  elements_of_one_rank(there);
  elements_round_the_ranks();
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  splitc_all_spread_free(all);
}

/* Each stores into the right neighbour: words, a block, rows; 64 bytes in all. */
static void store_to(splitc_global there) {
  static const int32_t block[8] = {3, 4, 5, 6, 7, 8, 9, 10};
  const splitc_rectangle rows = {2, 8, 8, 8};
  splitc_store_int64(there, 1);
  splitc_store_int64(splitc_global_add(there, 1, 8), 2);
  splitc_bulk_store(splitc_global_add(there, 2, 8), block, sizeof block);
  splitc_bulk_store_rows(splitc_global_add(there, 6, 8), block, rows);
}

void stores(void) {
  const splitc_spread all = all_zeroed(256);
  const splitc_global there = block_of(all, right(), 256);
  const int64_t* mine = splitc_tolocal(splitc_to_global(all));
  store_to(there);
  EXPECT_OK(splitc_all_store_sync());
  EXPECT(mine[0] == 1 && mine[1] == 2 && ((const int32_t*)mine)[4] == 3);
  EXPECT(memcmp(mine + 6, mine + 2, 16) == 0);
  store_to(there);
  EXPECT_OK(splitc_store_sync(60));
  EXPECT_OK(splitc_store_sync(4));
  store_to(there);
  EXPECT_OK(splitc_store_sync(64));
  splitc_reset_store_sync();

  const splitc_global counter = splitc_global_add(there, 16, 8);
  const splitc_global own = splitc_global_add(block_of(all, ramjet_rank(), 256), 16, 8);
  for (uint64_t round = 1; round <= 20; ++round) {
    splitc_bulk_put_signal(there, &round, sizeof round, counter, 2);
    splitc_signal(counter, 1);
    EXPECT_OK(splitc_wait_signal(own, 3 * round));
    EXPECT((uint64_t)mine[0] >= round);
    EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  }
  splitc_all_spread_free(all);
}
