/* SPDX-License-Identifier: Apache-2.0
 * The segment: where it lies, whose an address is, memory of it, and a neighbour's by a pointer. */
#include "spmd.h"

#include <stdlib.h>

static void add_handlers(void) {}

static void lies_where_it_says(void) {
  const size_t bytes = ramjet_segment_bytes();
  int on_stack = 0;
  if (getenv("RAMJET_SEGMENT_BYTES") == NULL) EXPECT(bytes == SEGMENT_BYTES);
  EXPECT(ramjet_segment_owner(NULL) == -1 && ramjet_segment_owner(&on_stack) == -1);
  for (int r = 0; r < ramjet_size(); ++r) {
    uint8_t* begin = ramjet_segment_begin(r);
    EXPECT((uintptr_t)begin == (uintptr_t)ramjet_segment_begin(0) + (size_t)r * bytes);
    EXPECT(ramjet_segment_owner(begin) == r && ramjet_segment_owner(begin + bytes - 1) == r);
  }
  const uint8_t* first = ramjet_segment_begin(0);
  EXPECT(ramjet_segment_owner(first - 1) == -1);
  EXPECT(ramjet_segment_owner(first + (size_t)ramjet_size() * bytes) == -1);
}

static void memory_is_ones_own(void) {
  enum { PIECES = 100 };
  uint8_t* pieces[PIECES];
  for (size_t i = 0; i < PIECES; ++i) {
    const size_t bytes = i * i + (i == 0);
    pieces[i] = ramjet_segment_allocate(i == 0 ? 0 : bytes);
    EXPECT(pieces[i] != NULL && (uintptr_t)pieces[i] % 64 == 0);
    EXPECT(ramjet_segment_owner(pieces[i]) == ramjet_rank());
    EXPECT(ramjet_segment_owner(pieces[i] + bytes - 1) == ramjet_rank());
    fill(pieces[i], i == 0 ? 0 : bytes, i);
  }
  for (size_t i = 0; i < PIECES; ++i) EXPECT(holds(pieces[i], i * i, i));
  for (size_t i = 0; i < PIECES; i += 2) ramjet_segment_free(pieces[i]);
  for (size_t i = 1; i < PIECES; i += 2) EXPECT(holds(pieces[i], i * i, i));
  for (size_t i = 1; i < PIECES; i += 2) ramjet_segment_free(pieces[i]);
  ramjet_segment_free(NULL);
}

/* Used up is a null pointer; what is freed can be had again. */
static void ends_somewhere(void) {
  EXPECT(ramjet_segment_allocate(ramjet_segment_bytes()) == NULL);
  EXPECT(ramjet_segment_allocate(SIZE_MAX) == NULL);
  for (unsigned round = 0; round < 3; ++round) {
    void* most = ramjet_segment_allocate(ramjet_segment_bytes() / 8 * 7);
    EXPECT(most != NULL);
    EXPECT(ramjet_segment_allocate(ramjet_segment_bytes() / 4) == NULL);
    ramjet_segment_free(most);
  }
}

static void a_neighbours_is_reached_by_a_pointer(void) {
  enum { BYTES = 100000 };
  uint8_t* mine = ramjet_segment_allocate(BYTES);
  uint8_t* all[64];
  EXPECT(mine != NULL && ramjet_size() <= 64);
  fill(mine, BYTES, (uint64_t)ramjet_rank());
  EXPECT_OK(ramjet_gather(&mine, sizeof mine, all, 0, RAMJET_WORLD));
  EXPECT_OK(ramjet_broadcast(all, sizeof all[0] * (size_t)ramjet_size(), 0, RAMJET_WORLD));
  for (int r = 0; r < ramjet_size(); ++r) {
    EXPECT(ramjet_segment_owner(all[r]) == r);
    if (ramjet_node_of(r) == ramjet_node_of(ramjet_rank()))
      EXPECT(holds(all[r], BYTES, (uint64_t)r));
  }
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  ramjet_segment_free(mine);
}

static void run(void) {
  lies_where_it_says();
  memory_is_ones_own();
  ends_somewhere();
  a_neighbours_is_reached_by_a_pointer();
}

const group segment_group = {"segment", add_handlers, run};
