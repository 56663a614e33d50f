/* SPDX-License-Identifier: Apache-2.0
 * Block handlers: every message once, in order, and before what another handler is sent next. */
#include "spmd.h"

enum { ITEMS = 20000, WORDS = 3, RANKS_MAX = 64 };

static ramjet_handler *take, *take_long, *mark, *squares, *square;
static uint64_t taken[RANKS_MAX], taken_long, blocks, squared;

static void on_take(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  EXPECT(arguments == NULL && count == 0 && bytes != 0 && bytes % (8 * WORDS) == 0);
  const uint64_t* item = payload;
  uint64_t* const next = &taken[ramjet_source(token).rank];
  ++blocks;
  for (size_t n = bytes / (8 * WORDS); n != 0; --n, item += WORDS, ++*next)
    for (unsigned k = 0; k < WORDS; ++k) EXPECT(item[k] == *next + k);
}
static void on_take_long(ramjet_token* token, const uint64_t* arguments, unsigned count,
                         void* payload, size_t bytes) {
  (void)token, (void)arguments, (void)count;
  const uint64_t* item = payload;
  for (; bytes != 0; bytes -= 64, item += 8, ++taken_long)
    EXPECT(item[0] == taken_long && item[7] == taken_long + 7);
}
static void on_mark(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  (void)payload, (void)bytes;
  EXPECT(count == 1 && taken[ramjet_source(token).rank] == arguments[0]);
}
static void on_squares(ramjet_token* token, const uint64_t* arguments, unsigned count,
                       void* payload, size_t bytes) {
  (void)token, (void)arguments, (void)count;
  const uint64_t* value = payload;
  for (size_t n = bytes / 8; n != 0; --n) squared += *value++;
}
/* Answers a whole block. */
static void on_square(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                      size_t bytes) {
  (void)arguments, (void)count;
  uint64_t back[8192 / 8];
  const uint64_t* value = payload;
  EXPECT(bytes <= sizeof back);
  for (size_t i = 0; i < bytes / 8; ++i) back[i] = value[i] * value[i];
  ramjet_reply_medium(token, squares, NULL, 0, back, bytes);
}

static void add_handlers(void) {
  take = ramjet_block_handler("blocks take", on_take, WORDS);
  take_long = ramjet_block_handler("blocks take long", on_take_long, 8);
  mark = ramjet_request_handler("blocks mark", on_mark);
  square = ramjet_block_handler("blocks square", on_square, 1);
  squares = ramjet_reply_handler("blocks squares", on_squares);
}

static void in_order(void) {
  for (uint64_t i = 0; i < ITEMS; ++i) {
    const uint64_t words[WORDS] = {i, i + 1, i + 2};
    for (int to = 0; to < ramjet_size(); ++to)
      EXPECT_OK(i % 3 == 0 ? ramjet_chain(ramjet_at(to, 0), take, words, WORDS)
                           : ramjet_request(ramjet_at(to, 0), take, words, WORDS));
    const uint64_t sent = i + 1;
    if (i % 1000 == 7) EXPECT_OK(ramjet_request(right(), mark, &sent, 1));
    const uint64_t wide[8] = {i, 0, 0, 0, 0, 0, 0, i + 7};
    while (ramjet_try_request(right(), take_long, wide, 8) == RAMJET_RETRY) ramjet_poll();
  }
  EXPECT_OK(ramjet_quiesce());
  for (int from = 0; from < ramjet_size(); ++from) EXPECT(taken[from] == ITEMS);
  EXPECT(taken_long == ITEMS);
  EXPECT(blocks < (uint64_t)ITEMS * (unsigned)ramjet_size());
}

static void answered(void) {
  uint64_t due = 0;
  for (uint64_t i = 0; i < ITEMS; ++i) {
    EXPECT_OK(ramjet_request(ramjet_at((int)(i % (unsigned)ramjet_size()), 0), square, &i, 1));
    due += i * i;
  }
  ramjet_flush();
  EXPECT_OK(ramjet_quiesce());
  EXPECT(squared == due);
}

static void run(void) {
  in_order();
  answered();
}

const group blocks_group = {"blocks", add_handlers, run};
