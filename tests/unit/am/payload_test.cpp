// SPDX-License-Identifier: Apache-2.0
// Payload rings: a region is free again once its record is answered or consumed and credited, in
// order, and no earlier; regions start on lines and lie inside the ring.
#include <cstring>
#include <vector>

#include "lone_job.hpp"

namespace {

using namespace ramjet;
using inspector = detail::engine_inspector;

[[maybe_unused]] const auto* const job =
    testing::AddGlobalTestEnvironment(new lone_job);  // the framework's from here on

std::vector<const std::byte*> places;
std::vector<std::size_t> lengths;
bool intact = true;
void on_payload(std::uint8_t filled_with, payload p) {
  places.push_back(p.bytes);
  lengths.push_back(p.count);
  for (std::size_t i = 0; i < p.count; ++i) intact &= p.bytes[i] == std::byte(filled_with);
}
unsigned answers = 0;
void on_answer(reply_token, payload p) {
  ++answers;
  for (std::size_t i = 0; i < p.count; ++i) intact &= p.bytes[i] == std::byte(p.count);
}
void on_question(request_token t, std::uint32_t bytes) {
  const std::vector<std::byte> data(bytes, std::byte(bytes));
  reply_medium<on_answer>(std::move(t), data.data(), data.size());
}

detail::engine& engine() { return *detail::current_engine; }
detail::peer& self() { return engine().peer_at(0); }

status try_send(std::uint8_t key, std::size_t bytes) {
  const std::vector<std::byte> data(bytes, std::byte(key));
  return try_request_medium<on_payload>(0, data.data(), data.size(), key);
}
// Sends until there is no room; how many went out.
unsigned fill(std::size_t bytes) {
  unsigned sent = 0;
  while (try_send(std::uint8_t(sent), bytes) == status::ok) ++sent;
  return sent;
}

class payloads : public testing::Test {
 protected:
  void SetUp() override {
    places.clear();
    lengths.clear();
    intact = true;
    answers = 0;
  }
  void TearDown() override {
    EXPECT_TRUE(intact);
    EXPECT_LE(self().payload_tail - self().payload_freed, inspector::payload_bytes(engine()));
  }
  static void poll_until(unsigned messages) {
    while (places.size() < messages) poll();
    for (int i = 0; i < 1000; ++i) poll();  // idle polls return the credit that is owed
  }
};

TEST_F(payloads, fill_the_ring_and_no_more) {
  const unsigned sent = fill(medium_bytes_max);
  EXPECT_GE(sent, 2u);
  EXPECT_LE(sent * medium_bytes_max, inspector::payload_bytes(engine()));
  EXPECT_FALSE(inspector::payload_fits(engine(), self(), medium_bytes_max));
  poll_until(sent);
  EXPECT_TRUE(inspector::payload_fits(engine(), self(), medium_bytes_max));
}

TEST_F(payloads, start_on_lines_and_do_not_overlap) {
  const unsigned sent = fill(5000);
  poll_until(sent);
  for (unsigned i = 0; i < sent; ++i) {
    EXPECT_EQ(lengths[i], 5000u);
    for (unsigned j = 0; j < i; ++j)  // all of them waited in the ring at once
      EXPECT_TRUE(places[i] + 5000 <= places[j] || places[j] + 5000 <= places[i]);
  }
}

TEST_F(payloads, are_free_again_only_once_they_are_consumed) {
  const unsigned sent = fill(medium_bytes_max);
  const std::uint64_t freed = self().payload_freed;
  EXPECT_FALSE(inspector::payload_fits(engine(), self(), medium_bytes_max));
  EXPECT_EQ(self().payload_freed, freed);
  poll_until(sent);
  EXPECT_TRUE(inspector::payload_fits(engine(), self(), medium_bytes_max));
  EXPECT_GT(self().payload_freed, freed);
}

TEST_F(payloads, go_around_the_ring_whole) {
  unsigned sent = 0;
  for (unsigned round = 0; round < 500; ++round) {  // of lengths that never fill a ring exactly
    const std::size_t bytes = 1 + (round * 7919) % medium_bytes_max;
    while (try_send(std::uint8_t(round), bytes) != status::ok) poll();
    ++sent;
  }
  poll_until(sent);
}

TEST_F(payloads, are_marked_up_to_their_most) {
  const unsigned sent = fill(1);
  EXPECT_LE(sent, detail::payload_marks::kMost);
  poll_until(sent);
  EXPECT_EQ(fill(1), sent);
  poll_until(2 * sent);
}

TEST_F(payloads, of_replies_are_given_back) {
  constexpr unsigned kQuestions = 2000;  // together many times the ring of replies
  for (unsigned i = 0; i < kQuestions; ++i)
    EXPECT_EQ(request<on_question>(0, std::uint32_t(i % 9000)), status::ok);
  while (answers < kQuestions) poll();
  EXPECT_EQ(self().reply_consumed, self().reply_tail);
}

}  // namespace
