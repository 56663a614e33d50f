/* SPDX-License-Identifier: Apache-2.0
 * Progress: polling, waiting for messages, and waiting with a limit. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "spmd.h"

#include <time.h>

static ramjet_handler *knock, *knocked;
static uint64_t knocks, answers;

static void on_knocked(ramjet_token* token, const uint64_t* arguments, unsigned count,
                       void* payload, size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  ++answers;
}
static void on_knock(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                     size_t bytes) {
  (void)arguments, (void)count, (void)payload, (void)bytes;
  ++knocks;
  ramjet_reply(token, knocked, NULL, 0);
}

static void add_handlers(void) {
  knock = ramjet_request_handler("waiting knock", on_knock);
  knocked = ramjet_reply_handler("waiting knocked", on_knocked);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The context is the number of times it is asked. */
static int never(void* context) {
  ++*(uint64_t*)context;
  return 0;
}
static int at_once(void* context) {
  ++*(uint64_t*)context;
  return 7;
}
static int is_answered(void* context) { return answers == *(const uint64_t*)context; }

static void a_limit_passes(void) {
  static const uint64_t limits_ms[] = {0, 1, 20, 100};
  for (unsigned i = 0; i < 4; ++i) {
    uint64_t times = 0;
    const double start = now_ms();
    EXPECT(ramjet_wait_for(limits_ms[i], never, &times) == RAMJET_TIMED_OUT);
    const double took = now_ms() - start;
    EXPECT(times > 0);
    EXPECT(took >= (double)limits_ms[i]);
    EXPECT(took < (double)limits_ms[i] + 20000); /* it may get no time for long */
  }
}

static void what_holds_takes_no_time(void) {
  uint64_t times = 0;
  EXPECT_OK(ramjet_wait_for(0, at_once, &times));
  EXPECT_OK(ramjet_wait_until(at_once, &times));
  EXPECT(times == 2);
}

static void a_message_ends_a_wait(void) {
  for (uint64_t i = 1; i <= 50; ++i) {
    EXPECT_OK(ramjet_request(right(), knock, NULL, 0));
    EXPECT_OK(i % 2 == 0 ? ramjet_wait_until(is_answered, &i)
                         : ramjet_wait_for(30000, is_answered, &i));
    EXPECT(answers == i);
  }
  EXPECT_OK(ramjet_quiesce());
  EXPECT(knocks == 50);
}

/* A poll says how many messages it handled; here each knock has an answer that is handled too. */
static void a_poll_counts(void) {
  enum { COUNT = 20 };
  EXPECT_OK(ramjet_quiesce());
  knocks = answers = 0;
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  for (unsigned i = 0; i < COUNT; ++i)
    EXPECT_OK(ramjet_request(ramjet_at(ramjet_rank(), 0), knock, NULL, 0));
  uint64_t said = 0;
  while (answers < COUNT) {
    const uint64_t before = knocks + answers;
    const unsigned ran = ramjet_poll();
    EXPECT(ran >= knocks + answers - before);
    said += ran;
  }
  EXPECT(knocks == COUNT && said >= 2 * COUNT);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
}

static void run(void) {
  a_limit_passes();
  what_holds_takes_no_time();
  a_message_ends_a_wait();
  a_poll_counts();
}

const group waiting_group = {"waiting", add_handlers, run};
