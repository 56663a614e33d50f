/* SPDX-License-Identifier: Apache-2.0
 * Endpoints for threads: each sends to every endpoint of every rank, and its handlers run on it.
 *
 * Threads: the main thread with endpoint 0 and one worker for each other index. What handlers touch
 * is thread-local. */
#include "spmd.h"

#include <pthread.h>
#include <stdatomic.h>

enum { MESSAGES = 200, BYTES = 300 };

static ramjet_handler *ask, *answer, *passed_on;
static atomic_uint finished;

typedef struct tally {
  unsigned index;
  uint64_t asked, answered, passed;
} tally;
static _Thread_local tally mine;

static uint64_t key_of(ramjet_address from, ramjet_address to, uint64_t i) {
  return ((uint64_t)from.rank * ENDPOINTS + from.endpoint) << 40 |
         ((uint64_t)to.rank * ENDPOINTS + to.endpoint) << 20 | i;
}

static ramjet_address here(void) { return ramjet_at(ramjet_rank(), mine.index); }

static void on_passed_on(ramjet_token* token, const uint64_t* arguments, unsigned count,
                         void* payload, size_t bytes) {
  (void)arguments, (void)payload;
  EXPECT(count == 0 && bytes == 0 && ramjet_source(token).endpoint == mine.index);
  ++mine.passed;
}
static void on_answer(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                      size_t bytes) {
  (void)payload;
  EXPECT(count == 1 && bytes == 0 && ramjet_endpoint_index() == mine.index);
  EXPECT(arguments[0] >> 20 == key_of(here(), ramjet_source(token), 0) >> 20);
  ++mine.answered;
}
/* The handler runs on the thread that owns the endpoint that the message names. */
static void on_ask(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                   size_t bytes) {
  EXPECT(count == 1 && bytes == BYTES && ramjet_endpoint_index() == mine.index);
  EXPECT(arguments[0] >> 20 == key_of(ramjet_source(token), here(), 0) >> 20);
  EXPECT(holds(payload, bytes, arguments[0]));
  ++mine.asked;
  ramjet_reply(token, answer, arguments, 1);
  EXPECT_OK(ramjet_chain(ramjet_at(right().rank, mine.index), passed_on, NULL, 0));
}

static void add_handlers(void) {
  ask = ramjet_request_handler("endpoints ask", on_ask);
  answer = ramjet_reply_handler("endpoints answer", on_answer);
  passed_on = ramjet_request_handler("endpoints passed on", on_passed_on);
}

static int all_are_there(void* context) {
  const uint64_t wanted = *(const uint64_t*)context;
  return mine.asked == wanted && mine.answered == wanted && mine.passed == wanted;
}

static void talk(unsigned index) {
  mine.index = index; /* its counts are 0: nothing but this group adds to them */
  EXPECT(ramjet_endpoint_index() == index);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD)); /* of the endpoints with this index */
  for (uint64_t i = 0; i < MESSAGES; ++i) {
    for (int r = 0; r < ramjet_size(); ++r) {
      for (unsigned e = 0; e < ENDPOINTS; ++e) {
        uint8_t data[BYTES];
        const uint64_t key = key_of(here(), ramjet_at(r, e), i);
        fill(data, sizeof data, key);
        EXPECT_OK(ramjet_request_medium(ramjet_at(r, e), ask, &key, 1, data, sizeof data));
      }
    }
  }
  uint64_t wanted = (uint64_t)MESSAGES * (uint64_t)ramjet_size() * ENDPOINTS;
  EXPECT_OK(ramjet_wait_until(all_are_there, &wanted));
  EXPECT_OK(ramjet_quiesce());
  EXPECT(sum_of(index + 1) == (uint64_t)ramjet_size() * (index + 1));
  uint64_t given = ramjet_rank() == 0 ? index : 99;
  EXPECT_OK(ramjet_broadcast(&given, sizeof given, 0, RAMJET_WORLD));
  EXPECT(given == index);
}

static void expect_no_endpoint(void) {
  EXPECT(ramjet_try_request(ramjet_at(0, 0), passed_on, NULL, 0) == RAMJET_BAD_RANK);
}

static void* work(void* context) {
  const unsigned index = *(const unsigned*)context;
  expect_no_endpoint();
  ramjet_endpoint_open(index);
  talk(index);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  ramjet_endpoint_close();
  expect_no_endpoint();
  atomic_fetch_add(&finished, 1);
  return NULL;
}

static int all_have_finished(void* context) {
  (void)context;
  return atomic_load(&finished) == ENDPOINTS - 1;
}

static void run(void) {
  static unsigned indices[ENDPOINTS];
  pthread_t workers[ENDPOINTS];
  for (unsigned i = 1; i < ENDPOINTS; ++i) {
    indices[i] = i;
    EXPECT(pthread_create(&workers[i], NULL, work, &indices[i]) == 0);
  }
  talk(0);
  EXPECT_OK(ramjet_wait_until(all_have_finished, NULL));
  for (unsigned i = 1; i < ENDPOINTS; ++i) EXPECT(pthread_join(workers[i], NULL) == 0);
  EXPECT(ramjet_endpoint_index() == 0);
}

const group endpoints_group = {"endpoints", add_handlers, run};
