// SPDX-License-Identifier: Apache-2.0
// The first messages of a job, and lanes that wake up after a rest: nothing may be overlooked because
// nobody was looking.
#include <unistd.h>

#include "spmd.hpp"

namespace {

unsigned first_asked, first_answered;
void on_first_answer(ramjet::reply_token) { ++first_answered; }
void on_first(ramjet::request_token t) {
  ++first_asked;
  ramjet::reply<on_first_answer>(std::move(t));
}

}  // namespace

// Runs right after init when the group is run alone: a rank may send before others have come so far.
SPMD_CASE(start, first_messages_need_no_barrier) {
  for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_first>(to));
  const auto n = unsigned(spmd::size());
  EXPECT_OK(ramjet::wait_until([n] { return first_asked == n && first_answered == n; }));
}

namespace {
unsigned rested;
void on_rested() { ++rested; }
}  // namespace

// As many messages as a byte or a ring can count, into a lane that its receiver has not looked at
// for a while: a bell that is counted modulo something would be back where it was.
SPMD_CASE(start, any_number_of_messages_into_a_quiet_lane) {
  unsigned expected = 0;
  for (unsigned count : {1u, 2u, 255u, 256u, 257u, 512u, 1u}) {
    EXPECT_OK(ramjet::barrier());
    if (spmd::rank() == 0)
      for (unsigned i = 0; i < count; ++i) EXPECT_OK(ramjet::request<on_rested>(spmd::size() - 1));
    if (spmd::rank() == spmd::size() - 1) {
      expected += count;
      ::usleep(20'000);  // not polling
      EXPECT_OK(ramjet::wait_until([&] { return rested >= expected; }));
      EXPECT_EQUAL(rested, expected);
    }
  }
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
unsigned woken_up;
void on_wake_up() { ++woken_up; }

}  // namespace

// Requests whose replies find no room, from a rank that then does not poll for so long that its lane
// is no longer looked at: they are answered all the same once it polls.
SPMD_CASE(start, a_sender_that_rests_gets_its_replies) {
  const int n = spmd::size();
  if (spmd::rank() != 0) {
    EXPECT_OK(ramjet::wait_until([] { return woken_up == 1; }));
    return;
  }
  for (unsigned i = 0; i < kAskers; ++i) EXPECT_OK(ramjet::request<on_want_long>(n - 1));
  ::usleep(50'000);  // not polling
  EXPECT_OK(ramjet::wait_until([] { return long_replies == kAskers; }));
  for (int to = 1; to < n; ++to) EXPECT_OK(ramjet::request<on_wake_up>(to));
}

namespace {
unsigned pings;
void on_pong(ramjet::reply_token, unsigned i) {
  EXPECT_EQUAL(i, pings);
  ++pings;
}
void on_ping(ramjet::request_token t, unsigned i) { ramjet::reply<on_pong>(std::move(t), i); }
bool over[1024];
void on_over(ramjet::request_token t) { over[t.rank()] = true; }
}  // namespace

// Pauses long enough for the receiver to give up looking, or to sleep, between single messages.
SPMD_CASE(start, single_messages_after_a_rest) {
  const auto rounds = unsigned(spmd::scaled(40, 2));
  if (spmd::rank() == 0) {
    for (unsigned i = 0; i < rounds; ++i) {
      ::usleep(i % 4 * 500);
      EXPECT_OK(ramjet::request<on_ping>(int(i) % spmd::size(), i));
      EXPECT_OK(ramjet::wait_until([i] { return pings == i + 1; }));
    }
    for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_over>(to));
  }
  EXPECT_OK(ramjet::wait_until([] { return over[0]; }));
}
