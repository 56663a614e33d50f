/* SPDX-License-Identifier: Apache-2.0
 * Rank 1 of three ends; the others are told, know who it was and how, and go on. */
#include <stdio.h>
#include <stdlib.h>

#include "spmd.h"

static ramjet_handler *call_over, *called, *say_ready;
static uint64_t answered, served, ready;

static void on_called(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                      size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  ++answered;
}
static void on_call(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                    size_t bytes) {
  (void)arguments, (void)count, (void)payload, (void)bytes;
  ++served;
  ramjet_reply(token, called, NULL, 0);
}

static void on_ready(ramjet_token* token, const uint64_t* arguments, unsigned count, void* payload,
                     size_t bytes) {
  (void)token, (void)arguments, (void)count, (void)payload, (void)bytes;
  ++ready;
}

void add_death_handlers(void) {
  call_over = ramjet_request_handler("death call", on_call);
  called = ramjet_reply_handler("death called", on_called);
  say_ready = ramjet_request_handler("death ready", on_ready);
}

static int never(void* context) {
  (void)context;
  return 0;
}
static int both_are_ready(void* context) {
  (void)context;
  return ready == 2;
}
static int both_have_called(void* context) {
  (void)context;
  return answered == 1 && served == 1;
}

static void expect_refusals(ramjet_address dead) {
  uint8_t byte = 0;
  void* there = ramjet_segment_begin(dead.rank);
  EXPECT(ramjet_request(dead, call_over, NULL, 0) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_request_medium(dead, call_over, NULL, 0, &byte, 1) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_request_long(dead, call_over, NULL, 0, there, &byte, 1) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_try_request(dead, call_over, NULL, 0) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_chain(dead, call_over, NULL, 0) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_chain_medium(dead, call_over, NULL, 0, &byte, 1) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_barrier(RAMJET_WORLD) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_quiesce() == RAMJET_PEER_FAILED);
}

int run_death(void) {
  int signal = 77, status = 77;
  EXPECT(ramjet_size() == 3);
  EXPECT(ramjet_last_failure(NULL, NULL) == -1);
  EXPECT(ramjet_last_failure(&signal, &status) == -1 && signal == 0 && status == 0);
  for (int r = 0; r < 3; ++r) EXPECT(ramjet_alive(r) == 1);
  EXPECT(ramjet_alive(-1) == 0 && ramjet_alive(3) == 0);
  EXPECT_OK(ramjet_barrier(RAMJET_WORLD));
  if (ramjet_rank() == 1) { /* one that is still in the barrier would be told there */
    EXPECT_OK(ramjet_wait_until(both_are_ready, NULL));
    _Exit(3);
  }
  EXPECT_OK(ramjet_request(ramjet_at(1, 0), say_ready, NULL, 0));

  EXPECT(ramjet_wait_until(never, NULL) == RAMJET_PEER_FAILED);
  EXPECT(ramjet_last_failure(&signal, &status) == 1 && signal == 0 && status == 3);
  EXPECT(ramjet_alive(1) == 0 && ramjet_alive(0) == 1 && ramjet_size() == 3);
  expect_refusals(ramjet_at(1, 0));

  /* A death ends one wait; the survivors still talk. */
  EXPECT_OK(ramjet_request(ramjet_at(2 - ramjet_rank(), 0), call_over, NULL, 0));
  EXPECT_OK(ramjet_wait_until(both_have_called, NULL));
  if (ramjet_rank() == 0) printf("the survivors go on without rank 1\n");
  return 0;
}
