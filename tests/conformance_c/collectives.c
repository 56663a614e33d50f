/* SPDX-License-Identifier: Apache-2.0
 * Collectives and teams: every root, many lengths, all bytes, the order of operators. */
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

/* Nobody is let go before everyone has come: ranks write down how often they came, which those of
 * their machine can see. */
static void barrier_holds_everyone(void) {
  atomic_uint* mine = ramjet_segment_allocate(sizeof *mine);
  atomic_uint* all[64];
  EXPECT(mine != NULL && ramjet_size() <= 64);
  atomic_init(mine, 0);
  EXPECT_OK(ramjet_gather(&mine, sizeof mine, all, 0, RAMJET_WORLD));
  EXPECT_OK(ramjet_broadcast(all, sizeof all[0] * (size_t)ramjet_size(), 0, RAMJET_WORLD));
  for (unsigned round = 1; round <= 200; ++round) {
    atomic_store(mine, round);
    EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
    for (int r = 0; r < ramjet_size(); ++r) {
      if (ramjet_node_of(r) != ramjet_node_of(ramjet_rank())) continue;
      const unsigned there = atomic_load(all[r]);
      EXPECT(there == round || there == round + 1);
    }
  }
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  ramjet_segment_free(mine);
}

static void quiesce_sees_everything(void) {
  for (unsigned round = 1; round <= 10; ++round) {
    for (int to = 0; to < ramjet_size(); ++to)
      for (unsigned i = 0; i < 50; ++i)
        EXPECT_OK(ramjet_request(ramjet_at(to, 0), count_one, NULL, 0));
    EXPECT_OK(ramjet_quiesce());
    EXPECT(counted == (uint64_t)ramjet_size() * 50 * round);
    EXPECT_OK(ramjet_barrier(RAMJET_WORLD)); /* the next round's messages are not for this look */
  }
}

static void broadcast_from_every_root(void) {
  uint8_t* data = malloc(lengths[LENGTHS - 1]);
  for (int root = 0; root < ramjet_size(); ++root) {
    for (unsigned i = 0; i < LENGTHS; ++i) {
      const uint64_t key = (uint64_t)root * 100 + i;
      fill(data, lengths[i], ramjet_rank() == root ? key : ~key);
      EXPECT_OK(ramjet_broadcast(data, lengths[i], root, RAMJET_WORLD));
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
      EXPECT_OK(
          ramjet_gather(mine, lengths[i], ramjet_rank() == root ? all : NULL, root, RAMJET_WORLD));
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
/* The context counts the products. */
static void multiply(void* context, void* into, const void* other, size_t count) {
  matrix* a = into;
  const matrix* b = other;
  EXPECT((uintptr_t)other % 16 == 0);
  for (size_t i = 0; i < count; ++i) a[i] = product(a[i], b[i]);
  *(size_t*)context += count;
}

/* The product of the matrices of the members from .. to - 1. */
static matrix product_of(const ramjet_team* among, int from, int to) {
  matrix all = matrix_of(ramjet_team_world_rank(among, from));
  for (int r = from + 1; r < to; ++r)
    all = product(all, matrix_of(ramjet_team_world_rank(among, r)));
  return all;
}
static const size_t counts[] = {1, 5, 3000}; /* the last takes several messages */
enum { COUNTS = 3 };

static void start_with_mine(matrix* data, size_t count) {
  for (size_t k = 0; k < count; ++k) data[k] = matrix_of(ramjet_rank());
}
static int all_are(const matrix* data, size_t count, matrix wanted) {
  for (size_t k = 0; k < count; ++k)
    if (memcmp(&data[k], &wanted, sizeof wanted) != 0) return 0;
  return 1;
}

static void reductions_keep_the_order(const ramjet_team* among) {
  const int n = ramjet_team_size(among), me = ramjet_team_rank(among);
  matrix* data = malloc(3000 * sizeof *data);
  const matrix wanted = product_of(among, 0, n);
  for (unsigned i = 0; i < COUNTS; ++i) {
    size_t products = 0;
    start_with_mine(data, counts[i]);
    EXPECT_OK(ramjet_all_reduce(data, counts[i], sizeof *data, multiply, &products, among));
    EXPECT(all_are(data, counts[i], wanted));
    start_with_mine(data, counts[i]);
    EXPECT_OK(ramjet_reduce(data, counts[i], sizeof *data, multiply, &products, n - 1, among));
    EXPECT(all_are(data, counts[i], me == n - 1 ? wanted : matrix_of(ramjet_rank())));
    EXPECT(n == 1 || me != n - 1 || products != 0);
  }
  free(data);
}

static void scans_stop_at_each(const ramjet_team* among) {
  const int me = ramjet_team_rank(among);
  matrix* data = malloc(3000 * sizeof *data);
  for (unsigned i = 0; i < COUNTS; ++i) {
    size_t products = 0;
    start_with_mine(data, counts[i]);
    EXPECT_OK(ramjet_inclusive_scan(data, counts[i], sizeof *data, multiply, &products, among));
    EXPECT(all_are(data, counts[i], product_of(among, 0, me + 1)));
    start_with_mine(data, counts[i]);
    EXPECT_OK(ramjet_exclusive_scan(data, counts[i], sizeof *data, multiply, &products, among));
    EXPECT(all_are(data, counts[i], me == 0 ? matrix_of(ramjet_rank()) : product_of(among, 0, me)));
  }
  free(data);
}

/* What member `from` has for member `to` is `length` bytes of the key of the pair. */
static uint64_t key_of(int from, int to) { return (uint64_t)from * 1000 + (uint64_t)to; }

static void everybody_gathers(const ramjet_team* among) {
  const size_t n = (size_t)ramjet_team_size(among);
  const int me = ramjet_team_rank(among);
  uint8_t* mine = malloc(n * 700);
  uint8_t* all = malloc(n * n * 700);
  size_t* lengths_of = malloc(n * sizeof *lengths_of);
  fill(mine, 700, key_of(me, 0));
  EXPECT_OK(ramjet_all_gather(mine, 700, all, among));
  for (size_t r = 0; r < n; ++r) EXPECT(holds(all + r * 700, 700, key_of((int)r, 0)));

  for (size_t r = 0; r < n; ++r) lengths_of[r] = r * 37 % 700; /* the first sends nothing */
  memset(all, 0, n * 700);
  EXPECT_OK(ramjet_all_gather_v(mine, all, lengths_of, among));
  size_t at = 0;
  for (size_t r = 0; r < n; at += lengths_of[r++])
    EXPECT(holds(all + at, lengths_of[r], key_of((int)r, 0)));
  memset(all, 0, n * 700);
  EXPECT_OK(ramjet_gather_v(mine, me == 0 ? all : NULL, lengths_of, 0, among));
  at = 0;
  for (size_t r = 0; me == 0 && r < n; at += lengths_of[r++])
    EXPECT(holds(all + at, lengths_of[r], key_of((int)r, 0)));
  free(lengths_of);
  free(all);
  free(mine);
}

static void everybody_exchanges(const ramjet_team* among) {
  const size_t n = (size_t)ramjet_team_size(among);
  const int me = ramjet_team_rank(among);
  uint8_t* from = malloc(n * 600);
  uint8_t* into = malloc(n * 600);
  size_t* sizes = malloc(2 * n * sizeof *sizes);
  for (size_t r = 0; r < n; ++r) fill(from + r * 600, 600, key_of(me, (int)r));
  EXPECT_OK(ramjet_all_to_all(from, into, 600, among));
  for (size_t r = 0; r < n; ++r) EXPECT(holds(into + r * 600, 600, key_of((int)r, me)));

  size_t at = 0;
  for (size_t r = 0; r < n; at += sizes[r++]) {
    sizes[r] = ((size_t)me * 5 + r) * 11 % 600;
    sizes[n + r] = (r * 5 + (size_t)me) * 11 % 600;
    fill(from + at, sizes[r], key_of(me, (int)r));
  }
  EXPECT_OK(ramjet_all_to_all_v(from, sizes, into, sizes + n, among));
  at = 0;
  for (size_t r = 0; r < n; at += sizes[n + r++])
    EXPECT(holds(into + at, sizes[n + r], key_of((int)r, me)));
  free(sizes);
  free(into);
  free(from);
}

static void split_barriers_meet(const ramjet_team* among) {
  for (int round = 0; round < 50; ++round) {
    EXPECT_OK(ramjet_barrier_notify(among));
    if (round % 2 == 0) {
      EXPECT_OK(ramjet_barrier_wait(among));
    } else {
      ramjet_status s;
      while ((s = ramjet_barrier_try(among)) == RAMJET_RETRY) {
      }
      EXPECT(s == RAMJET_OK);
    }
    EXPECT_OK(ramjet_barrier(among));
  }
}

static void all_of(const ramjet_team* among) {
  reductions_keep_the_order(among);
  scans_stop_at_each(among);
  everybody_gathers(among);
  everybody_exchanges(among);
  split_barriers_meet(among);
}

/* Odd and even ranks, from the highest to the lowest; and rank 0 in none. */
static void teams_are_apart(void) {
  const int me = ramjet_rank();
  ramjet_team* half = ramjet_team_split(RAMJET_WORLD, me % 2, -me);
  EXPECT(ramjet_team_size(half) == (ramjet_size() + 1 - me % 2) / 2);
  EXPECT(ramjet_team_world_rank(half, ramjet_team_rank(half)) == me);
  EXPECT(ramjet_team_rank(half) == ramjet_team_size(half) - 1 - me / 2);
  all_of(half);
  ramjet_team* rest = ramjet_team_split(RAMJET_WORLD, me == 0 ? -1 : 1, 0);
  EXPECT(ramjet_team_rank(rest) == me - 1);
  EXPECT(ramjet_team_size(rest) == (me == 0 ? 0 : ramjet_size() - 1));
  if (me != 0) all_of(rest);
  ramjet_team_free(rest);
  ramjet_team_free(half);
  ramjet_team_free(NULL);
}

static void run(void) {
  barrier_holds_everyone();
  quiesce_sees_everything();
  broadcast_from_every_root();
  gather_at_every_root();
  all_of(RAMJET_WORLD);
  teams_are_apart();
}

const group collectives_group = {"collectives", add_handlers, run};
