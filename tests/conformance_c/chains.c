/* SPDX-License-Identifier: Apache-2.0
 * Chains: handlers of requests and of replies send on, and a queue that grows takes what has no
 * room. quiesce sees all of it. */
#include "spmd.h"

enum { HOPS = 200, FLOOD = 6000, FLOOD_PAYLOADS = 300, FLOOD_BYTES = 3000 };

static ramjet_handler *hop, *hopped, *drop, *drop_payload;
static uint64_t hops, walks_ended, dropped, dropped_payloads;

static uint64_t key_of(uint64_t start, uint64_t step) { return start * 1000003 + step; }

/* Sends the walk on: short at even steps, with a payload of its own at odd ones. */
static void walk(uint64_t start, uint64_t step) {
  const uint64_t words[2] = {start, step};
  if (step % 2 == 0) {
    EXPECT_OK(ramjet_chain(right(), hop, words, 2));
  } else {
    uint8_t data[500];
    const size_t bytes = 1 + (size_t)(step * 37 % sizeof data);
    fill(data, bytes, key_of(start, step));
    EXPECT_OK(ramjet_chain_medium(right(), hop, words, 2, data, bytes));
  }
}

/* At every third step the reply's handler sends on, at the rank behind. */
static void on_hopped(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                      size_t bytes) {
  (void)token, (void)payload, (void)bytes;
  EXPECT(count == 2);
  walk(arguments[0], arguments[1]);
}
static void on_hop(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                   size_t bytes) {
  EXPECT(count == 2);
  const uint64_t start = arguments[0], step = arguments[1];
  EXPECT(bytes == (step % 2 == 0 ? 0 : 1 + step * 37 % 500));
  EXPECT(holds(payload, bytes, key_of(start, step)));
  ++hops;
  if (step + 1 == HOPS) {
    ++walks_ended;
  } else if (step % 3 == 0) {
    ramjet_reply(token, hopped, (uint64_t[]){start, step + 1}, 2);
  } else {
    walk(start, step + 1);
  }
}

/* In order: `dropped` counts those of the one rank that sends here. */
static void on_drop(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  (void)token, (void)payload, (void)bytes;
  EXPECT(count == 1 && arguments[0] == dropped);
  ++dropped;
}
static void on_drop_payload(ramjet_token* token, const uint64_t* arguments, unsigned count,
                            void* payload, size_t bytes) {
  (void)token;
  EXPECT(count == 1 && arguments[0] == dropped_payloads && bytes == FLOOD_BYTES);
  EXPECT(holds(payload, bytes, arguments[0]));
  ++dropped_payloads;
}

static void add_handlers(void) {
  hop = ramjet_request_handler("chains hop", on_hop);
  hopped = ramjet_reply_handler("chains hopped", on_hopped);
  drop = ramjet_request_handler("chains drop", on_drop);
  drop_payload = ramjet_request_handler("chains drop payload", on_drop_payload);
}

static void walks(void) {
  enum { WALKS = 20 };
  for (uint64_t i = 0; i < WALKS; ++i) walk((uint64_t)ramjet_rank() * WALKS + i, 0);
  EXPECT_OK(ramjet_quiesce());
  const uint64_t all = (uint64_t)ramjet_size() * WALKS;
  EXPECT(sum_of(walks_ended) == all);
  EXPECT(sum_of(hops) == all * HOPS);
}

/* More than any way holds, without a poll. */
static void flood(void) {
  for (uint64_t i = 0; i < FLOOD; ++i) EXPECT_OK(ramjet_chain(right(), drop, &i, 1));
  uint8_t data[FLOOD_BYTES];
  for (uint64_t i = 0; i < FLOOD_PAYLOADS; ++i) {
    fill(data, sizeof data, i);
    EXPECT_OK(ramjet_chain_medium(right(), drop_payload, &i, 1, data, sizeof data));
  }
  /* Waits behind what is queued. */
  const uint64_t last = FLOOD;
  EXPECT_OK(ramjet_request(right(), drop, &last, 1));
  EXPECT_OK(ramjet_quiesce());
  EXPECT(dropped == FLOOD + 1 && dropped_payloads == FLOOD_PAYLOADS);
}

static void run(void) {
  walks();
  flood();
}

const group chains_group = {"chains", add_handlers, run};
