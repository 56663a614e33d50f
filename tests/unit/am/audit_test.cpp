// SPDX-License-Identifier: Apache-2.0
// The audit passes after traffic of every kind, and each equation that it checks can fail: a field
// is changed behind the engine's back, and the audit ends the process with that equation.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

#include "am/chain.hpp"
#include "am/engine_cold.hpp"
#include "am/payload.hpp"
#include "ramjet/am.hpp"
#include "ramjet/collectives.hpp"
#include "ramjet/job.hpp"

namespace ramjet::detail {

struct engine_inspector {
  static std::uint64_t ring_words(const engine& e) { return e.mask_ + 1; }
  static void add_active(engine& e) { ++e.active_count_; }
  static void add_chained(engine& e) { e.chain_bytes_ += 8; }
  static void withhold(engine& e) { e.withheld_ = 1; }
};

namespace {

int answers = 0, hops = 0;

void on_answer(reply_token) { ++answers; }
void on_short(request_token t) { reply<on_answer>(std::move(t)); }
void on_medium(request_token t, payload) { reply<on_answer>(std::move(t)); }
void on_hop(request_token, int left) {
  ++hops;
  if (left > 0) chain<on_hop>(0, left - 1);
}

// A job of this process alone, whose one peer is itself.
class Audit : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    // Each death test is a process of its own: a forked one would be no rank, and share the memory.
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    int argc = 0;
    char** argv = nullptr;
    init(argc, argv);
  }
  static void TearDownTestSuite() { finalize(); }

  void SetUp() override {
    const std::vector<std::byte> bytes(5000);
    const int before = answers;
    for (int i = 0; i < 300; ++i) {
      request<on_short>(0);
      if (i % 10 == 0) request_medium<on_medium>(0, bytes.data(), bytes.size());
    }
    request<on_hop>(0, 100);
    wait_until([&] { return answers == before + 330; });
    quiesce();
  }

  engine& e() { return *current_engine; }
  peer& p() { return e().port_of(0, 0); }

  // With this change the audit ends the process with these words.
  void fails_when(const std::function<void()>& change, const char* words) {
    EXPECT_DEATH(
        {
          change();
          e().audit();
        },
        words);
  }
};

TEST_F(Audit, passes_after_traffic) {
  EXPECT_GT(hops, 0);
  e().audit();
}

TEST_F(Audit, passes_while_requests_are_outstanding) {
  const int before = answers;
  for (int i = 0; i < 10; ++i) request<on_short>(0);
  e().audit();
  wait_until([&] { return answers == before + 10; });
  e().audit();
}

TEST_F(Audit, positions) {
  const std::uint64_t ring = engine_inspector::ring_words(e());
  fails_when([&] { p().answered = p().tail + 2; }, "answered <= tail");
  fails_when([&] { p().tail += ring + 2; }, "answered <= tail");
  fails_when([&] { p().published = p().head + 2; }, "published, clean <= head");
  fails_when([&] { p().clean = p().head + 2; }, "published, clean <= head");
  fails_when([&] { p().line_end = p().tail + 16; }, "tail <= line_end");
  fails_when([&] { p().limit = p().answered + ring + 2; }, "limit <= answered");
  fails_when([&] { p().opened = p().answered + ring + 8; }, "zeroed for the next lap");
}

TEST_F(Audit, blocks_and_the_active_list) {
  fails_when([&] { p().blocked = kDead; }, "a blocked peer has no open line");
  fails_when([&] { p().active = false; }, "open to sending while active");
  fails_when([&] { engine_inspector::add_active(e()); }, "active_count is the number");
}

TEST_F(Audit, payload_rings) {
  fails_when([&] { p().payload_freed = p().payload_tail + 64; }, "payload_freed <= payload_tail");
  fails_when([&] { p().reply_freed = p().reply_tail + 64; }, "reply_freed <= reply_tail");
  ASSERT_NE(p().marks, nullptr);
  fails_when([&] { p().marks->last = p().marks->first + payload_marks::kMost + 1; }, "marks held");
}

TEST_F(Audit, chain_queues) {
  fails_when([&] { engine_inspector::add_chained(e()); }, "chain_bytes is what");
  ASSERT_TRUE(p().chain == nullptr || p().chain->messages == 0);
  fails_when(
      [&] {
        if (p().chain == nullptr) p().chain = new chain_queue;
        p().chain->messages = 1;
      },
      "exactly while messages wait");
}

TEST_F(Audit, counters) {
  fails_when([&] { bump(p().count->requests_received); },
             "every request received has been handled");
  fails_when([&] { bump(p().count->replies_received); }, "every reply received has been handled");
}

TEST_F(Audit, records_that_were_sent) {
  request<on_short>(0);
  const std::uint64_t mask = engine_inspector::ring_words(e()) - 1;
  fails_when([&] { p().out[p().answered & mask].store(0); }, "of its lap");
  fails_when([&] { engine_inspector::withhold(e()); }, "no reply is withheld");
}

}  // namespace
}  // namespace ramjet::detail
