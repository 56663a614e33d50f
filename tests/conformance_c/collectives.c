/* SPDX-License-Identifier: Apache-2.0
 * Barrier, quiesce, broadcast, gather, all_reduce: every root, many lengths, all bytes. */
#include "spmd.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { LENGTHS = 6 };
static const size_t lengths[LENGTHS] = {1, 8, 100, 4096, 65537, 200000};

static ramjet_handler* count_one;
static uint64_t counted;

static void on_count(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                     size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  ++counted;
}
static void add_handlers(void) { count_one = ramjet_request_handler("count", on_count); }

/* Nobody is let go before everyone has come: ranks write down how often they came. */
static void barrier_holds_everyone(void) {
  atomic_uint* mine = ramjet_segment_allocate(sizeof *mine);
  atomic_uint* all[64];
  EXPECT(mine != NULL && ramjet_size() <= 64);
  atomic_init(mine, 0);
  EXPECT_OK(ramjet_gather(&mine, sizeof mine, all, 0));
  EXPECT_OK(ramjet_broadcast(all, sizeof all[0] * (size_t)ramjet_size(), 0));
  for (unsigned round = 1; round <= 200; ++round) {
    atomic_store(mine, round);
    EXPECT_OK(ramjet_barrier());
    for (int r = 0; r < ramjet_size(); ++r) {
      const unsigned there = atomic_load(all[r]);
      EXPECT(there == round || there == round + 1);
    }
  }
  EXPECT_OK(ramjet_barrier());
  ramjet_segment_free(mine);
}

static void quiesce_sees_everything(void) {
  for (unsigned round = 1; round <= 10; ++round) {
    for (int to = 0; to < ramjet_size(); ++to)
      for (unsigned i = 0; i < 50; ++i)
        EXPECT_OK(ramjet_request(ramjet_at(to, 0), count_one, NULL, 0));
    EXPECT_OK(ramjet_quiesce());
    EXPECT(counted == (uint64_t)ramjet_size() * 50 * round);
    EXPECT_OK(ramjet_barrier()); /* the next round's messages are not for this look */
  }
}

static void broadcast_from_every_root(void) {
  uint8_t* data = malloc(lengths[LENGTHS - 1]);
  for (int root = 0; root < ramjet_size(); ++root) {
    for (unsigned i = 0; i < LENGTHS; ++i) {
      const uint64_t key = (uint64_t)root * 100 + i;
      fill(data, lengths[i], ramjet_rank() == root ? key : ~key);
      EXPECT_OK(ramjet_broadcast(data, lengths[i], root));
      EXPECT(holds(data, lengths[i], key));
    }
  }
  free(data);
}

static void gather_at_every_root(void) {
  const size_t n = (size_t)ramjet_size();
  uint8_t* mine = malloc(lengths[LENGTHS - 1]);
  uint8_t* all = malloc(n * lengths[LENGTHS - 1]);
  for (int root = 0; root < ramjet_size(); ++root) {
    for (unsigned i = 0; i < LENGTHS; ++i) {
      const uint64_t key = (uint64_t)root * 10000 + i * 100;
      fill(mine, lengths[i], key + (uint64_t)ramjet_rank());
      EXPECT_OK(ramjet_gather(mine, lengths[i], ramjet_rank() == root ? all : NULL, root));
      if (ramjet_rank() == root)
        for (size_t r = 0; r < n; ++r) EXPECT(holds(all + r * lengths[i], lengths[i], key + r));
    }
  }
  free(all);
  free(mine);
}

/* Products of 2 x 2 matrices: associative, and the order shows. */
typedef struct matrix {
  uint64_t at[4];
} matrix;

static matrix product(matrix a, matrix b) {
  return (matrix){{a.at[0] * b.at[0] + a.at[1] * b.at[2], a.at[0] * b.at[1] + a.at[1] * b.at[3],
                   a.at[2] * b.at[0] + a.at[3] * b.at[2], a.at[2] * b.at[1] + a.at[3] * b.at[3]}};
}
static matrix matrix_of(int rank) {
  return (matrix){{(uint64_t)rank + 2, 3, 5, (uint64_t)rank * 7 + 1}};
}
/* The context says how many matrices there are in a row. */
static void multiply(void* context, void* into, const void* other) {
  matrix* a = into;
  const matrix* b = other;
  EXPECT((uintptr_t)other % 16 == 0);
  for (size_t i = 0; i < *(const size_t*)context; ++i) a[i] = product(a[i], b[i]);
}

static void all_reduce_keeps_the_order(void) {
  static const size_t counts[] = {1, 5, 3000}; /* the last takes several messages */
  matrix* data = malloc(3000 * sizeof *data);
  matrix wanted = matrix_of(0);
  for (int r = 1; r < ramjet_size(); ++r) wanted = product(wanted, matrix_of(r));
  for (unsigned i = 0; i < 3; ++i) {
    size_t count = counts[i];
    for (size_t k = 0; k < count; ++k) data[k] = matrix_of(ramjet_rank());
    EXPECT_OK(ramjet_all_reduce(data, count * sizeof *data, multiply, &count));
    for (size_t k = 0; k < count; ++k) EXPECT(memcmp(&data[k], &wanted, sizeof wanted) == 0);
  }
  free(data);
}

static void run(void) {
  barrier_holds_everyone();
  quiesce_sees_everything();
  broadcast_from_every_root();
  gather_at_every_root();
  all_reduce_keeps_the_order();
}

const group collectives_group = {"collectives", add_handlers, run};
