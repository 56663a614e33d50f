// SPDX-License-Identifier: Apache-2.0
// Aggregated handlers: when an item leaves, and what is counted meanwhile.
#include <numeric>
#include <span>
#include <vector>

#include "lone_job.hpp"

namespace {

using namespace ramjet;

[[maybe_unused]] const auto* const job =
    testing::AddGlobalTestEnvironment(new lone_job);  // the framework's from here on

std::vector<unsigned> came;
unsigned blocks = 0;
void on_items(std::span<const unsigned> all) {
  ++blocks;
  came.insert(came.end(), all.begin(), all.end());
}
void on_number(unsigned n) { came.push_back(n); }

detail::engine& engine() { return *detail::current_engine; }
detail::peer& self() { return engine().peer_at(0); }
std::uint64_t sent() { return self().count->requests_sent.load(std::memory_order_relaxed); }
std::uint64_t waiting() { return self().count->chained.load(std::memory_order_relaxed); }
bool gathers() { return (self().blocked & detail::kGathering) != 0; }

std::vector<unsigned> counted(std::size_t n) {
  std::vector<unsigned> all(n);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

class aggregation : public testing::Test {
 protected:
  void SetUp() override {
    for (int i = 0; i < 1000; ++i) poll();  // all credit is returned
    came.clear();
    blocks = 0;
    sent_before = sent();
  }
  void TearDown() override {
    EXPECT_EQ(waiting(), 0u);
    EXPECT_FALSE(gathers());
    engine().audit();
  }
  static void poll_until(std::size_t items) {
    while (came.size() < items) poll();
    EXPECT_EQ(came, counted(items));
  }
  std::uint64_t messages() const { return sent() - sent_before; }

  std::uint64_t sent_before = 0;
};

TEST_F(aggregation, one_leaves_at_once) {
  EXPECT_EQ(request<&on_items>(0, 0u), status::ok);
  EXPECT_EQ(messages(), 1u);
  EXPECT_EQ(waiting(), 0u);
  poll_until(1);
}

TEST_F(aggregation, others_gather_behind_it_and_leave_as_one) {
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(request<&on_items>(0, i), status::ok);
  EXPECT_EQ(messages(), 1u);
  EXPECT_EQ(waiting(), 1u) << "a block counts as one message";
  EXPECT_TRUE(gathers());
  engine().audit();
  poll_until(100);
  EXPECT_EQ(messages(), 2u);
  EXPECT_EQ(blocks, 2u);
}

TEST_F(aggregation, full_blocks_leave_by_themselves) {
  constexpr unsigned kItems = 1 + 2 * 8192 / sizeof(unsigned);
  for (unsigned i = 0; i < kItems; ++i) EXPECT_EQ(try_request<&on_items>(0, i), status::ok);
  EXPECT_EQ(messages(), 2u) << "the one at the front, and a block; another is full";
  EXPECT_EQ(waiting(), 1u);
  poll_until(kItems);
  EXPECT_EQ(blocks, 3u);
}

TEST_F(aggregation, flush_sends_a_block) {
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(request<&on_items>(0, i), status::ok);
  flush();
  EXPECT_EQ(messages(), 2u);
  EXPECT_FALSE(gathers());
  poll_until(10);
}

TEST_F(aggregation, another_message_comes_behind) {
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(request<&on_items>(0, i), status::ok);
  EXPECT_EQ(request<&on_number>(0, 10u), status::ok);
  EXPECT_EQ(messages(), 3u);
  EXPECT_EQ(chain<&on_items>(0, 11u), status::ok);
  EXPECT_EQ(try_request<&on_number>(0, 12u), status::ok);
  poll_until(13);
  EXPECT_EQ(blocks, 3u);
}

TEST_F(aggregation, chained_blocks_keep_their_order) {
  unsigned i = 0;
  while (try_request<&on_items>(0, i) == status::ok) ++i;
  const unsigned refused = i;
  EXPECT_EQ(chain<&on_items>(0, i++), status::ok) << "its block goes to the queue";
  EXPECT_EQ(chain<&on_number>(0, i++), status::ok);
  EXPECT_EQ(try_request<&on_number>(0, i), status::retry);
  EXPECT_GT(refused, 8192 / sizeof(unsigned));
  engine().audit();
  poll_until(i);
}

}  // namespace
