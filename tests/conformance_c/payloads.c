/* SPDX-License-Identifier: Apache-2.0
 * Every way to ask with every way to answer, payloads of many sizes both ways, and all bytes looked
 * at. Every rank asks its neighbour to the right, one thing at a time. */
#include "spmd.h"

#include <stdlib.h>
#include <string.h>

typedef enum way {
  SHORT,
  MEDIUM,
  LONG,
  CHAIN,
  CHAIN_MEDIUM,
  TRY_SHORT,
  TRY_MEDIUM,
  TRY_LONG,
  WAYS
} way;
typedef enum answer_way { NO_ANSWER, ANSWER, ANSWER_MEDIUM, ANSWER_LONG, ANSWER_WAYS } answer_way;

/* The words of a question. */
enum { KEY, WAY, BYTES, ANSWER_WAY, ANSWER_BYTES, ANSWER_AT, WORDS };

enum { LONG_BYTES_MAX = 1 << 20, OFFSET = 3 };

static ramjet_handler *ask, *answer;
static uint8_t* landing;       /* of my segment: where questions may be put, and answers behind */
static uint8_t* right_landing; /* the neighbour's */
static uint8_t* scratch;
static uint64_t asked, answered, expected_key;

static int is_long(way w) { return w == LONG || w == TRY_LONG; }
static int is_medium(way w) { return w == MEDIUM || w == CHAIN_MEDIUM || w == TRY_MEDIUM; }

static void check_payload(const void* payload, size_t bytes, int put, const void* where,
                          uint64_t key) {
  if (put) {
    EXPECT(payload == where);
  } else if (bytes == 0) {
    EXPECT(payload == NULL);
  } else {
    EXPECT((uintptr_t)payload % 16 == 0);
  }
  EXPECT(holds(payload, bytes, key));
}

static void on_answer(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                      size_t bytes) {
  EXPECT(count == 3 && arguments[0] == expected_key && bytes == arguments[2]);
  EXPECT(ramjet_source(token).rank == right().rank);
  const answer_way w = (answer_way)arguments[1];
  check_payload(payload, bytes, w == ANSWER_LONG, landing + LONG_BYTES_MAX + 2 * OFFSET,
                ~arguments[0]);
  ++answered;
}

static void on_ask(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                   size_t bytes) {
  EXPECT(count == WORDS);
  const way w = (way)arguments[WAY];
  EXPECT(bytes == (is_long(w) || is_medium(w) ? arguments[BYTES] : 0));
  check_payload(payload, bytes, is_long(w), landing + OFFSET, arguments[KEY]);
  ++asked;

  const size_t back = arguments[ANSWER_BYTES];
  const uint64_t words[3] = {arguments[KEY], arguments[ANSWER_WAY], back};
  fill(scratch, back, ~arguments[KEY]);
  switch ((answer_way)arguments[ANSWER_WAY]) {
    case ANSWER:
      ramjet_reply(token, answer, words, 3);
      break;
    case ANSWER_MEDIUM:
      ramjet_reply_medium(token, answer, words, 3, scratch, back);
      break;
    case ANSWER_LONG:
      ramjet_reply_long(token, answer, words, 3, (void*)(uintptr_t)arguments[ANSWER_AT], scratch,
                        back);
      break;
    default:
      break;
  }
  memset(scratch, 0, back); /* it was copied */
  if (is_medium(w) && bytes != 0) { /* the reply is out, and the payload still the handler's */
    EXPECT(holds(payload, bytes, arguments[KEY]));
    memset(payload, 0, bytes);
  }
}

static void add_handlers(void) {
  ask = ramjet_request_handler("payloads ask", on_ask);
  answer = ramjet_reply_handler("payloads answer", on_answer);
}

static ramjet_status send(way w, const uint64_t* words, const void* data, size_t bytes) {
  const ramjet_address to = right();
  switch (w) {
    case SHORT:
      return ramjet_request(to, ask, words, WORDS);
    case MEDIUM:
      return ramjet_request_medium(to, ask, words, WORDS, data, bytes);
    case LONG:
      return ramjet_request_long(to, ask, words, WORDS, right_landing + OFFSET, data, bytes);
    case CHAIN:
      return ramjet_chain(to, ask, words, WORDS);
    case CHAIN_MEDIUM:
      return ramjet_chain_medium(to, ask, words, WORDS, data, bytes);
    case TRY_SHORT:
      return ramjet_try_request(to, ask, words, WORDS);
    case TRY_MEDIUM:
      return ramjet_try_request_medium(to, ask, words, WORDS, data, bytes);
    default:
      return ramjet_try_request_long(to, ask, words, WORDS, right_landing + OFFSET, data, bytes);
  }
}

static int is_answered(void* context) { return answered == *(const uint64_t*)context; }

static void exchange(way w, size_t bytes, answer_way back, size_t back_bytes) {
  static uint64_t wanted;
  static uint64_t number;
  uint8_t* data = malloc(bytes + 1);
  expected_key = (uint64_t)ramjet_rank() << 32 | ++number;
  fill(data, bytes, expected_key);
  memset(landing + LONG_BYTES_MAX + 2 * OFFSET, 0, back_bytes);
  const uint64_t words[WORDS] = {
      [KEY] = expected_key,
      [WAY] = w,
      [BYTES] = bytes,
      [ANSWER_WAY] = back,
      [ANSWER_BYTES] = back == ANSWER_MEDIUM || back == ANSWER_LONG ? back_bytes : 0,
      [ANSWER_AT] = (uintptr_t)(landing + LONG_BYTES_MAX + 2 * OFFSET)};
  ramjet_status s;
  while ((s = send(w, words, data, bytes)) == RAMJET_RETRY) ramjet_poll();
  EXPECT_OK(s);
  free(data); /* it was copied */
  if (back != NO_ANSWER) {
    ++wanted;
    EXPECT_OK(ramjet_wait_until(is_answered, &wanted));
  } else {
    EXPECT_OK(ramjet_quiesce()); /* the next question may use the same place */
  }
  EXPECT(answered == wanted);
}

/* Every rank learns where its right neighbour's landing is. */
static void make_landings(void) {
  const size_t bytes = 2 * LONG_BYTES_MAX + 64;
  landing = ramjet_segment_allocate(bytes);
  scratch = malloc(LONG_BYTES_MAX + 1);
  EXPECT(landing != NULL && scratch != NULL);
  uint8_t* all[64];
  EXPECT(ramjet_size() <= 64);
  EXPECT_OK(ramjet_gather(&landing, sizeof landing, all, 0, RAMJET_WORLD));
  EXPECT_OK(ramjet_broadcast(all, sizeof all[0] * (size_t)ramjet_size(), 0, RAMJET_WORLD));
  right_landing = all[right().rank];
  EXPECT(all[ramjet_rank()] == landing);
}

static void run(void) {
  static const size_t medium[] = {0, 1, 8, 47, 64, 65, 1000, 4097, 65535, RAMJET_MEDIUM_BYTES_MAX};
  static const size_t put[] = {0, 1, 64, 1000, 65537, LONG_BYTES_MAX};
  enum { MEDIUM_SIZES = sizeof medium / sizeof medium[0], PUT_SIZES = sizeof put / sizeof put[0] };
  make_landings();
  uint64_t sent = 0;
  for (unsigned w = 0; w < WAYS; ++w) {
    const unsigned sizes = is_medium((way)w) ? MEDIUM_SIZES : is_long((way)w) ? PUT_SIZES : 1;
    for (unsigned back = 0; back < ANSWER_WAYS; ++back) {
      const unsigned back_sizes = back == ANSWER_MEDIUM ? MEDIUM_SIZES
                                  : back == ANSWER_LONG ? PUT_SIZES
                                                        : 1;
      const size_t* back_bytes = back == ANSWER_LONG ? put : medium;
      for (unsigned i = 0; i < sizes; ++i)
        for (unsigned k = 0; k < back_sizes; ++k, ++sent)
          exchange((way)w, is_long((way)w) ? put[i] : medium[i], (answer_way)back, back_bytes[k]);
    }
  }
  EXPECT_OK(ramjet_quiesce());
  EXPECT(asked == sent);
  ramjet_segment_free(landing);
  free(scratch);
}

const group payloads_group = {"payloads", add_handlers, run};
