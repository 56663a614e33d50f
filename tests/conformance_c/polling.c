/* SPDX-License-Identifier: Apache-2.0
 * Loops of polls and of tries yield the processor where ranks share it: see polling_cases.cpp. */
#include "spmd.h"

enum { ROUNDS = 200, ASKS_MAX = 20000 };

static ramjet_handler* step;
static unsigned steps;

static void on_step(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  ++steps;
}

static void add_handlers(void) { step = ramjet_request_handler("polling step", on_step); }

static void run(void) {
  uint64_t polls = 0, tries = 0;
  for (unsigned i = 1; i <= ROUNDS; ++i) {
    EXPECT_OK(ramjet_request(right(), step, NULL, 0));
    for (; steps < i; ++polls) ramjet_poll();
  }
  EXPECT(polls < (uint64_t)ROUNDS * ASKS_MAX);
  for (unsigned i = 0; i < ROUNDS; ++i) {
    EXPECT_OK(ramjet_barrier_notify(RAMJET_WORLD));
    while (ramjet_barrier_try(RAMJET_WORLD) == RAMJET_RETRY) ++tries;
  }
  EXPECT(tries < (uint64_t)ROUNDS * ASKS_MAX);
}

const group polling_group = {"polling", add_handlers, run};
