// SPDX-License-Identifier: Apache-2.0
// A co-processor beside a main program that does not poll: safe handlers run there, and it counts
// what it has handled.
#include <atomic>
#include <thread>

#include "am/coproc.hpp"
#include "lone_job.hpp"

namespace {

std::atomic<unsigned> safe_runs{0};  // both threads
std::thread::id ran_at;  // read once safe_runs has counted
unsigned other_runs = 0;
void on_safe() {
  ran_at = std::this_thread::get_id();
  safe_runs.fetch_add(1, std::memory_order_seq_cst);
}
void on_other() { ++other_runs; }

}  // namespace

template <>
inline constexpr bool ramjet::coproc_safe<on_safe> = true;

namespace {

using namespace ramjet;

[[maybe_unused]] const auto* const job = testing::AddGlobalTestEnvironment(
    new lone_job({.progress = progress_mode::coproc}));  // the framework's from here on

void await_safe_runs(unsigned count) {
  while (safe_runs.load(std::memory_order_seq_cst) < count) std::this_thread::yield();
}

TEST(coprocessor, runs_where_the_job_has_one) {
  EXPECT_TRUE(detail::coprocessors_run());
  EXPECT_FALSE(detail::one_serves_node());
  ASSERT_NE(detail::own_coprocessor(), nullptr);
  EXPECT_EQ(detail::current_engine->coprocessor(), 1u);
}

TEST(coprocessor, is_no_endpoint_of_the_program) {
  EXPECT_EQ(detail::current_engine->find(0, 1), nullptr);
  EXPECT_EQ(detail::current_engine->endpoint_of(1), 0u);
}

TEST(coprocessor, runs_safe_handlers_while_the_main_program_does_not_poll) {
  safe_runs = 0;
  for (unsigned i = 1; i <= 100; ++i) {
    ASSERT_EQ(request<on_safe>(0), status::ok);
    await_safe_runs(i);
    EXPECT_NE(ran_at, std::this_thread::get_id());
  }
}

TEST(coprocessor, leaves_other_handlers_to_the_main_program) {
  other_runs = 0;
  safe_runs = 0;
  ASSERT_EQ(request<on_other>(0), status::ok);
  ASSERT_EQ(request<on_safe>(0), status::ok);
  await_safe_runs(1);
  EXPECT_EQ(other_runs, 0u);
  while (other_runs == 0) poll();
}

TEST(coprocessor, counts_what_it_has_handled) {
  const detail::traffic before = detail::own_coprocessor()->count();
  safe_runs = 0;
  for (unsigned i = 0; i < 50; ++i) ASSERT_EQ(request<on_safe>(0), status::ok);
  await_safe_runs(50);
  const detail::traffic after = detail::own_coprocessor()->count();
  EXPECT_EQ(after.sent, before.sent);  // the main endpoint sent them
  EXPECT_EQ(after.handled, before.handled + 50);
  EXPECT_EQ(detail::own_coprocessor()->count(), after);
}

}  // namespace
