// SPDX-License-Identifier: Apache-2.0
// Lanes that their receiver no longer looks at by itself: what is sent into them, however much, and
// what was left in them, is found all the same.
#include <unistd.h>

#include "spmd.hpp"

namespace {

unsigned greeted;
void on_greeting() { ++greeted; }

// Makes every lane active, then polls so often that nobody looks at most of them any more.
void let_lanes_go_quiet() {
  static unsigned expected = 0;
  expected += unsigned(spmd::size());
  for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_greeting>(to));
  EXPECT_OK(ramjet::wait_until([] { return greeted >= expected; }));
  EXPECT_OK(ramjet::barrier());
  for (unsigned i = 0; i < 6000; ++i) ramjet::poll();
}

unsigned rung;
void on_ring() { ++rung; }

void send_while_the_receiver_rests(unsigned count) {
  const int left = (spmd::rank() + spmd::size() - 1) % spmd::size();
  static unsigned expected = 0;
  expected += count;
  if (left == spmd::rank()) return;
  let_lanes_go_quiet();
  EXPECT_OK(ramjet::barrier());
  // Nobody polls between these two barriers' ends, so all bells are rung before any is answered.
  for (unsigned i = 0; i < count; ++i) EXPECT_OK(ramjet::request<on_ring>(spmd::right()));
  ::usleep(2000);
  EXPECT_OK(ramjet::wait_for(30'000, [] { return rung >= expected; }));
  EXPECT_EQUAL(rung, expected);
}

}  // namespace

// As many as a byte can count: a bell that is counted modulo 256 would be back where it was.
SPMD_CASE(quiet_lanes, any_number_of_messages) {
  for (unsigned count : {1u, 2u, 255u, 256u, 257u, 512u}) send_while_the_receiver_rests(count);
}

namespace {

constexpr unsigned kAskers = 12;  // long replies each; more than the ring of replies holds
std::byte long_reply[ramjet::medium_bytes_max];
unsigned long_replies;
void on_long_reply(ramjet::reply_token, ramjet::payload p) {
  EXPECT_EQUAL(p.count, ramjet::medium_bytes_max);
  ++long_replies;
}
void on_want_long(ramjet::request_token t) {
  ramjet::reply_medium<on_long_reply>(std::move(t), long_reply, sizeof long_reply);
}

}  // namespace

// Requests whose replies find no room, from a rank that then does not poll for so long that its
// lane is no longer looked at: they are answered all the same once it polls.
SPMD_CASE(quiet_lanes, a_requester_that_rests_gets_its_replies) {
  const int last = spmd::size() - 1;
  let_lanes_go_quiet();
  EXPECT_OK(ramjet::barrier());
  if (spmd::rank() == 0) {
    for (unsigned i = 0; i < kAskers; ++i) EXPECT_OK(ramjet::request<on_want_long>(last));
    ::usleep(100'000);  // not polling
    EXPECT_OK(ramjet::wait_for(30'000, [] { return long_replies == kAskers; }));
  } else {
    for (unsigned i = 0; i < 20'000; ++i) ramjet::poll();
  }
  EXPECT_OK(ramjet::barrier());
}

// The same with a receiver that sleeps: the room in the ring of replies wakes it.
SPMD_CASE(quiet_lanes, a_sleeping_replier_goes_on_when_there_is_room) {
  const int last = spmd::size() - 1;
  long_replies = 0;
  EXPECT_OK(ramjet::barrier());
  if (spmd::rank() == 0) {
    for (unsigned i = 0; i < 4 * kAskers; ++i) EXPECT_OK(ramjet::request<on_want_long>(last));
    ::usleep(50'000);
    EXPECT_OK(ramjet::wait_for(30'000, [] { return long_replies == 4 * kAskers; }));
  }
  EXPECT_OK(ramjet::barrier());
}

namespace {

unsigned poured;
void on_pour(std::uint64_t) { ++poured; }

}  // namespace

// One rank at a time fills the ways to all others, over and over, while those sleep in a barrier:
// they give their credit back before they sleep, and it wakes a sender that sleeps for want of it.
SPMD_CASE(quiet_lanes, sleepers_owe_no_credit) {
  constexpr unsigned kPour = 9'000;  // several rings
  const auto rounds = int(spmd::scaled(20));
  unsigned expected = 0;
  for (int round = 0; round < rounds * spmd::size(); ++round) {
    for (unsigned i = unsigned(spmd::rank()); i < kPour + unsigned(round);
         i += unsigned(spmd::size()))
      ++expected;
    if (round % spmd::size() == spmd::rank())
      for (unsigned i = 0; i < kPour + unsigned(round); ++i)
        EXPECT_OK(ramjet::request<on_pour>(int(i) % spmd::size(), std::uint64_t{i}));
    EXPECT_OK(ramjet::barrier());
  }
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(poured, expected);
}
