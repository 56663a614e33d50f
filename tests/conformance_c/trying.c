/* SPDX-License-Identifier: Apache-2.0
 * The forms that never wait: a full way and misuse are values, and nothing is sent with them. */
#include "spmd.h"

#include <string.h>

enum { PUT_BYTES = 512, REFUSALS = 10, SENT_MAX = 100000000 };

static ramjet_handler *take, *take_payload, *take_put;
static uint64_t taken, taken_payloads, taken_puts;
static uint8_t data[RAMJET_MEDIUM_BYTES_MAX + 1];

static void on_take(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  (void)token, (void)payload, (void)bytes;
  EXPECT(count == 1 && arguments[0] == taken);
  ++taken;
}
static void on_take_payload(ramjet_token* token, const uint64_t* arguments, unsigned count,
                            void* payload, size_t bytes) {
  (void)token, (void)arguments;
  EXPECT(count == 0 && bytes == RAMJET_MEDIUM_BYTES_MAX && holds(payload, bytes, 5));
  ++taken_payloads;
}
static void on_take_put(ramjet_token* token, const uint64_t* arguments, unsigned count,
                        void* payload, size_t bytes) {
  (void)token, (void)arguments;
  EXPECT(count == 0 && bytes == PUT_BYTES && holds(payload, bytes, 5));
  ++taken_puts;
}

static void add_handlers(void) {
  take = ramjet_request_handler("trying take", on_take);
  take_payload = ramjet_request_handler("trying take payload", on_take_payload);
  take_put = ramjet_request_handler("trying take put", on_take_put);
}

typedef struct attempt {
  uint64_t word;
  ramjet_status last;
} attempt;

/* After a refusal the same message goes once there has been some polling. */
static int goes_now(void* context) {
  attempt* a = context;
  if (a->last == RAMJET_RETRY) a->last = ramjet_try_request(right(), take, &a->word, 1);
  EXPECT(a->last == RAMJET_OK || a->last == RAMJET_RETRY);
  return a->last == RAMJET_OK;
}

static void short_messages_fill_the_way(void) {
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  uint64_t sent = 0;
  for (unsigned refused = 0; refused < REFUSALS;) {
    const ramjet_status s = ramjet_try_request(right(), take, &sent, 1);
    EXPECT(s == RAMJET_OK || s == RAMJET_RETRY);
    s == RAMJET_OK ? ++sent : ++refused;
    EXPECT(sent < SENT_MAX);
  }
  EXPECT(sent >= 60);
  attempt again = {sent, RAMJET_RETRY};
  EXPECT_OK(ramjet_wait_until(goes_now, &again));
  EXPECT_OK(ramjet_quiesce());
  EXPECT(sum_of(taken) == sum_of(sent + 1));
}

static void payloads_fill_the_way(void) {
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  /* The first waits: credit for what was sent before may yet be on its way. */
  EXPECT_OK(ramjet_request_medium(right(), take_payload, NULL, 0, data, RAMJET_MEDIUM_BYTES_MAX));
  uint64_t sent = 1;
  ramjet_status s;
  while ((s = ramjet_try_request_medium(right(), take_payload, NULL, 0, data,
                                        RAMJET_MEDIUM_BYTES_MAX)) == RAMJET_OK)
    EXPECT(++sent < SENT_MAX);
  EXPECT(s == RAMJET_RETRY);
  EXPECT_OK(ramjet_quiesce());
  EXPECT(sum_of(taken_payloads) == sum_of(sent));
}

/* A refused long message has changed nothing at its destination either. The left neighbour puts
 * into my memory; the first half takes the accepted ones, the second one the last, if it was. */
static void long_messages_fill_the_way(void) {
  uint8_t* mine = ramjet_segment_allocate(2 * PUT_BYTES);
  uint8_t* all[64];
  EXPECT(mine != NULL && ramjet_size() <= 64);
  memset(mine, 0, 2 * PUT_BYTES);
  EXPECT_OK(ramjet_gather(&mine, sizeof mine, all, 0, RAMJET_WORLD));
  EXPECT_OK(ramjet_broadcast(all, sizeof all[0] * (size_t)ramjet_size(), 0, RAMJET_WORLD));
  uint8_t* there = all[right().rank];
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));

  uint64_t sent = 0;
  ramjet_status s;
  while ((s = ramjet_try_request_long(right(), take_put, NULL, 0, there, data, PUT_BYTES)) ==
         RAMJET_OK)
    EXPECT(++sent < SENT_MAX);
  EXPECT(s == RAMJET_RETRY && sent >= 1);
  s = ramjet_try_request_long(right(), take_put, NULL, 0, there + PUT_BYTES, data, PUT_BYTES);
  sent += s == RAMJET_OK; /* room that the neighbour has made since */
  const int is_refused = s == RAMJET_RETRY;
  int refused[64];
  EXPECT_OK(ramjet_quiesce());
  EXPECT_OK(ramjet_gather(&is_refused, sizeof is_refused, refused, 0, RAMJET_WORLD));
  EXPECT_OK(ramjet_broadcast(refused, sizeof refused, 0, RAMJET_WORLD));
  if (refused[(ramjet_rank() + ramjet_size() - 1) % ramjet_size()]) {
    for (size_t i = 0; i < PUT_BYTES; ++i) EXPECT(mine[PUT_BYTES + i] == 0);
  } else {
    EXPECT(holds(mine + PUT_BYTES, PUT_BYTES, 5));
  }
  EXPECT(sum_of(taken_puts) == sum_of(sent));
  EXPECT(holds(mine, PUT_BYTES, 5));
  ramjet_segment_free(mine);
}

static void misuse_is_a_value(void) {
  const int n = ramjet_size();
  void* segment = ramjet_segment_begin(0);
  const ramjet_address nowhere[] = {
      ramjet_at(-1, 0),         ramjet_at(n, 0),         ramjet_at(1 << 30, 0),
      ramjet_at(-(1 << 30), 0), ramjet_at(0, ENDPOINTS), ramjet_at(0, ~0u),
  };
  const uint64_t word = 0;
  for (size_t i = 0; i < sizeof nowhere / sizeof nowhere[0]; ++i) {
    EXPECT(ramjet_try_request(nowhere[i], take, &word, 1) == RAMJET_BAD_RANK);
    EXPECT(ramjet_try_request_medium(nowhere[i], take_payload, NULL, 0, data, 1) ==
           RAMJET_BAD_RANK);
    EXPECT(ramjet_try_request_long(nowhere[i], take_put, NULL, 0, segment, data, 1) ==
           RAMJET_BAD_RANK);
  }
  EXPECT(ramjet_try_request_medium(right(), take_payload, NULL, 0, data, sizeof data) ==
         RAMJET_TOO_LARGE);
  EXPECT(ramjet_try_request_medium(right(), take_payload, NULL, 0, data, SIZE_MAX) ==
         RAMJET_TOO_LARGE);
}

static ramjet_status put(void* where, size_t bytes) {
  return ramjet_try_request_long(right(), take_put, NULL, 0, where, data, bytes);
}

static void stray_addresses_are_values(void) {
  uint8_t* begin = ramjet_segment_begin(right().rank);
  uint8_t* end = begin + ramjet_segment_bytes();
  uint8_t on_stack = 0;
  EXPECT(put(&on_stack, 1) == RAMJET_BAD_ADDRESS);
  EXPECT(put(NULL, 1) == RAMJET_BAD_ADDRESS);
  EXPECT(put(begin - 1, 1) == RAMJET_BAD_ADDRESS);
  EXPECT(put(end, 1) == RAMJET_BAD_ADDRESS);
  EXPECT(put(end - 1, 2) == RAMJET_BAD_ADDRESS);
  EXPECT(put(begin, ramjet_segment_bytes() + 1) == RAMJET_BAD_ADDRESS);
  EXPECT(put(begin, SIZE_MAX) == RAMJET_BAD_ADDRESS);
  if (ramjet_size() > 1) EXPECT(put(ramjet_segment_begin(ramjet_rank()), 1) == RAMJET_BAD_ADDRESS);
}

static void run(void) {
  fill(data, sizeof data, 5);
  short_messages_fill_the_way();
  payloads_fill_the_way();
  long_messages_fill_the_way();
  misuse_is_a_value();
  stray_addresses_are_values();
  EXPECT_OK(ramjet_quiesce());
}

const group trying_group = {"trying", add_handlers, run};
