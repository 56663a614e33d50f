// SPDX-License-Identifier: Apache-2.0
// The first messages of a job: nothing may be overlooked because nobody was looking yet.
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

// Runs right after init when the group is run alone: a rank may send before others have come so
// far.
SPMD_CASE(start, first_messages_need_no_barrier) {
  for (int to = 0; to < spmd::size(); ++to) EXPECT_OK(ramjet::request<on_first>(to));
  const auto n = unsigned(spmd::size());
  EXPECT_OK(ramjet::wait_until([n] { return first_asked == n && first_answered == n; }));
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
