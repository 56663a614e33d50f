// SPDX-License-Identifier: Apache-2.0
// Chain queues: what finds no room waits in order, bytes and counts agree, and nothing is kept of
// what was sent or dropped.
#include <numeric>
#include <vector>

#include "lone_job.hpp"

namespace {

using namespace ramjet;
using inspector = detail::engine_inspector;

[[maybe_unused]] const auto* const job =
    testing::AddGlobalTestEnvironment(new lone_job);  // the framework's from here on

std::vector<unsigned> came;
void on_number(unsigned n) { came.push_back(n); }
std::vector<std::vector<std::byte>> payloads;
void on_payload(unsigned n, payload p) {
  came.push_back(n);
  payloads.emplace_back(p.bytes, p.bytes + p.count);
}

detail::engine& engine() { return *detail::current_engine; }
detail::peer& self() { return engine().peer_at(0); }
bool holds_chained() { return inspector::chain_bytes(engine()) != 0; }
std::uint64_t chained() { return self().count->chained.load(std::memory_order_relaxed); }

std::vector<unsigned> counted(unsigned n) {
  std::vector<unsigned> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

class chains : public testing::Test {
 protected:
  void SetUp() override {
    came.clear();
    payloads.clear();
  }
  void TearDown() override {
    EXPECT_FALSE(holds_chained());
    EXPECT_EQ(inspector::chain_bytes(engine()), 0u);
    EXPECT_EQ(chained(), 0u);
  }
  static void poll_until(std::size_t messages) {
    while (came.size() < messages) poll();
    EXPECT_EQ(poll(), 0u);
  }
};

TEST_F(chains, go_out_at_once_while_there_is_room) {
  EXPECT_EQ(chain<on_number>(0, 7u), status::ok);
  EXPECT_FALSE(holds_chained());
  poll_until(1);
}

TEST_F(chains, wait_in_order_where_there_is_none) {
  const auto messages = unsigned(inspector::ring_words(engine()));  // each takes two words or more
  for (unsigned i = 0; i < messages; ++i) EXPECT_EQ(chain<on_number>(0, i), status::ok);
  ASSERT_TRUE(holds_chained());
  EXPECT_GE(chained(), messages / 2);
  EXPECT_TRUE(self().blocked & detail::kChained);
  poll_until(messages);
  EXPECT_EQ(came, counted(messages));
}

TEST_F(chains, hold_back_requests_to_the_same_peer) {
  unsigned sent = 0;
  while (!holds_chained()) static_cast<void>(chain<on_number>(0, sent++));
  EXPECT_EQ(try_request<on_number>(0, sent), status::retry);
  EXPECT_EQ(request<on_number>(0, sent++), status::ok);  // polls until the queue is empty
  EXPECT_FALSE(holds_chained());
  poll_until(sent);
  EXPECT_EQ(came, counted(sent));
}

TEST_F(chains, copy_their_payloads) {
  constexpr unsigned kMessages = 40;  // of 16 KiB: more than a payload ring holds
  std::vector<std::byte> data(16 * 1024);
  for (unsigned i = 0; i < kMessages; ++i) {
    data.assign(data.size() - i, std::byte(i + 1));  // lengths that are not multiples of 8, too
    EXPECT_EQ(chain_medium<on_payload>(0, data.data(), data.size(), i), status::ok);
  }
  data.assign(data.size(), std::byte{0xff});
  ASSERT_TRUE(holds_chained());
  poll_until(kMessages);
  EXPECT_EQ(came, counted(kMessages));
  std::size_t bytes = 16 * 1024;
  for (unsigned i = 0; i < kMessages; ++i) {
    bytes -= i;
    EXPECT_EQ(payloads[i], std::vector<std::byte>(bytes, std::byte(i + 1))) << "message " << i;
  }
}

TEST_F(chains, count_their_bytes_exactly) {
  std::vector<std::byte> data(1001);
  unsigned sent = 0;
  while (!holds_chained())
    static_cast<void>(chain_medium<on_payload>(0, data.data(), data.size(), sent++));
  // A head, 4 bytes of arguments and 1001 of payload, each padded to 8.
  constexpr std::uint64_t kEach = sizeof(detail::chain_queue::entry) + 8 + 1008;
  EXPECT_EQ(inspector::chain_bytes(engine()), kEach);
  static_cast<void>(chain_medium<on_payload>(0, data.data(), data.size(), sent++));
  EXPECT_EQ(inspector::chain_bytes(engine()), 2 * kEach);
  EXPECT_EQ(chained(), 2u);
  poll_until(sent);
}

TEST_F(chains, are_forgotten_when_they_are_dropped) {
  unsigned sent = 0;
  while (chained() < 100) static_cast<void>(chain<on_number>(0, sent++));
  inspector::drop_chain(engine(), self());
  EXPECT_FALSE(self().blocked & detail::kChained);
  poll_until(sent - 100);
  EXPECT_EQ(came, counted(sent - 100));
}

}  // namespace
