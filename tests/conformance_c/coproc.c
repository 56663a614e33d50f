/* SPDX-License-Identifier: Apache-2.0
 * Handlers that are safe at a co-processor: with RAMJET_PROGRESS=coproc they run at a rank that
 * does not poll, and their replies at the requester; without it everything is as ever. */
#include "spmd.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20, BYTES = 500 };

static ramjet_handler *ask, *answer, *release, *told;
static atomic_int released, wrong;
static atomic_uint_fast64_t releases;
static uint64_t answers, tellings;
/* Atomic: a co-processor reads it because of another rank's message. */
static _Atomic pthread_t main_thread;

static int has_coprocessor(void) {
  const char* progress = getenv("RAMJET_PROGRESS");
  return progress != NULL && strcmp(progress, "coproc") == 0;
}
static int is_main(void) { return pthread_equal(pthread_self(), main_thread) != 0; }

static void on_answer(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                      size_t bytes) {
  (void)token, (void)payload, (void)bytes;
  if (count != 1 || !is_main()) wrong = 1;
  answers += arguments[0];
}
static void on_ask(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                   size_t bytes) {
  const uint64_t one = 1;
  if (count != 1 || bytes != BYTES || !holds(payload, bytes, arguments[0])) wrong = 1;
  if (is_main() == has_coprocessor() || ramjet_source(token).endpoint != 0) wrong = 1;
  ramjet_reply(token, answer, &one, 1);
  EXPECT_OK(ramjet_chain(ramjet_at(ramjet_rank(), 0), told, NULL, 0));
}
static void on_told(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  if (!is_main()) wrong = 1;
  ++tellings;
}
static void on_release(ramjet_token* token, const uint64_t* arguments, unsigned count,
                       void* payload, size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  ++releases;
  released = 1;
}

static void add_handlers(void) {
  ask = ramjet_coproc_request_handler("coproc ask", on_ask);
  answer = ramjet_reply_handler("coproc answer", on_answer);
  release = ramjet_coproc_request_handler("coproc release", on_release);
  told = ramjet_request_handler("coproc told", on_told);
}

static int all_answered(void* context) { return answers == *(const uint64_t*)context; }

static void run(void) {
  uint8_t data[BYTES];
  main_thread = pthread_self();
  for (uint64_t i = 1; i <= ROUNDS; ++i) {
    EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
    fill(data, BYTES, i);
    EXPECT_OK(ramjet_request_medium(right(), ask, &i, 1, data, BYTES));
    EXPECT_OK(ramjet_wait_until(all_answered, &i));
  }
  EXPECT_OK(ramjet_quiesce());
  EXPECT(tellings == ROUNDS && !wrong);
  EXPECT_OK(ramjet_request(right(), release, NULL, 0));
  while (has_coprocessor() && !released) {
  }
  EXPECT_OK(ramjet_quiesce());
  EXPECT(released && releases == 1);
}

const group coproc_group = {"coproc", add_handlers, run};
