// SPDX-License-Identifier: Apache-2.0
// Calls: whose answer a record or a number is, what becomes of answers that nobody waits for, and
// what ends the process.
#include <functional>
#include <vector>

#include "am/runtime.hpp"
#include "lone_job.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace {

using namespace ramjet;
using detail::call_state;

[[maybe_unused]] const auto* const job = testing::AddGlobalTestEnvironment(
    new lone_job(options{.endpoints = 2}));  // the framework's from here on

int add(int a, int b) { return a + b; }
using add_handlers = decltype(detail::call_handlers_of<&add>(&add));

// Answers a request that was not a call as if it had been one.
void on_forged(request_token t) { reply<&add_handlers::done>(std::move(t), 7); }
void on_forged_number(request_token t, std::uint32_t id) {
  reply<&add_handlers::done_by_number>(std::move(t), id, 7);
}
int heard = 0;
void on_quiet() { ++heard; }

detail::engine& engine() { return *detail::current_engine; }
detail::peer& self() { return engine().port_of(0, 0); }
// States that are in use.
std::uint32_t in_use() {
  std::uint32_t free = 0;
  for (const call_state* s = engine().calls().free; s != nullptr; s = s->next) ++free;
  return engine().calls().count - free;
}
void poll_until_quiet() {
  while (poll() != 0) {
  }
}

class calls : public testing::Test {
 protected:
  // What dies is a process of its own: a child that a rank forks may not send.
  static void SetUpTestSuite() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  void TearDown() override {
    poll_until_quiet();
    engine().audit();
    EXPECT_EQ(in_use(), 0u);
    EXPECT_EQ(self().calls, nullptr);
  }
};

// Other messages and dropped futures stand between them.
TEST_F(calls, answers_are_known_by_their_records) {
  std::vector<future<int>> futures;
  for (int i = 0; i < 500; ++i) {
    futures.push_back(call<&add>(0, i, 1));
    if (i % 3 == 0) request<&on_quiet>(0);
    if (i % 5 == 0) static_cast<void>(call<&add>(0, -1, -1).valid());
    if (i % 50 == 0) engine().audit();
  }
  for (int i = 499; i >= 0; --i) EXPECT_EQ(futures[std::size_t(i)].get(), i + 1);
  EXPECT_EQ(self().calls, nullptr);
}

TEST_F(calls, an_answer_to_a_dropped_future_frees_its_state) {
  { auto dropped = call<&add>(0, 1, 2); }
  EXPECT_EQ(in_use(), 1u);
  auto next = call<&add>(0, 3, 4);  // another state: the first one's answer is under way
  EXPECT_EQ(in_use(), 2u);
  EXPECT_EQ(next.get(), 7);
  EXPECT_EQ(in_use(), 1u);
}

TEST_F(calls, a_record_of_no_call_is_no_answer) {
  EXPECT_DEATH(
      {
        request<&on_forged>(0);
        poll_until_quiet();
      },
      "a reply belongs to no call of this rank");
}

// Neither the call before it nor the one behind it takes the answer.
TEST_F(calls, an_answer_goes_to_its_own_record_only) {
  EXPECT_DEATH(
      {
        request<&on_forged>(0);
        auto behind = call<&add>(0, 1, 2);
        poll_until_quiet();
      },
      "a reply belongs to no call of this rank");
  EXPECT_DEATH(
      {
        auto before = call<&add>(0, 1, 2);
        request<&on_forged>(0);
        poll_until_quiet();
      },
      "a reply belongs to no call of this rank");
}

TEST_F(calls, a_number_names_one_use_of_a_state) {
  call_state* s = detail::start_numbered_call(engine(), 0);
  const std::uint32_t first = s->id;
  EXPECT_EQ(detail::look_up_call(engine(), first, 0), s);
  EXPECT_EQ(detail::look_up_call(engine(), first, 1), nullptr);  // not the rank that was called
  EXPECT_EQ(detail::look_up_call(engine(), engine().calls().count, 0), nullptr);
  detail::finish_call(engine(), *s, status::ok);
  detail::release_call(engine(), s);
  EXPECT_EQ(detail::look_up_call(engine(), first, 0), nullptr);
  constexpr unsigned kUses = 1u << (32 - detail::kCallIndexBits);
  for (unsigned use = 1; use <= kUses; ++use) {
    s = detail::start_numbered_call(engine(), 0);
    ASSERT_EQ(detail::call_index_of(s->id), detail::call_index_of(first));
    ASSERT_EQ(s->id == first, use == kUses);
    detail::finish_call(engine(), *s, status::ok);
    detail::release_call(engine(), s);
  }
}

TEST_F(calls, a_wrong_number_is_no_answer) {
  const auto answers = [](std::uint32_t id) {
    request<&on_forged_number>(0, id);
    poll_until_quiet();
  };
  EXPECT_DEATH(answers(~0u), "a reply belongs to no call of this rank");
  EXPECT_DEATH(
      {
        call_state* s = detail::start_numbered_call(engine(), 0);
        answers(s->id + (1u << detail::kCallIndexBits));
      },
      "a reply belongs to no call of this rank");
}

TEST_F(calls, one_that_is_answered_in_its_record_has_no_number) {
  EXPECT_DEATH(
      {
        { auto first = call<&add>(0, 1, 2); }
        poll_until_quiet();
        const std::uint32_t next = engine().calls().free->id;
        request<&on_forged_number>(0, next);
        auto f = call<&add>(0, 1, 2);  // comes after it, and is not taken for its own
        poll_until_quiet();
      },
      "a reply belongs to no call of this rank");
  auto f = call<&add>(0, 1, 2);
  EXPECT_EQ(detail::look_up_call(engine(), self().calls->id, 0), nullptr);
  EXPECT_EQ(f.get(), 3);
}

TEST_F(calls, a_number_that_is_right_is_one) {
  call_state* s = detail::start_numbered_call(engine(), 0);
  request<&on_forged_number>(0, s->id);
  poll_until_quiet();
  EXPECT_TRUE(s->is.done);
  EXPECT_EQ(detail::read_argument<int>(s->value), 7);
  request<&on_forged_number>(0, s->id);  // the second one is dropped
  poll_until_quiet();
  detail::release_call(engine(), s);
}

TEST_F(calls, of_a_dead_rank_fail) {
  // In a process of its own: the answers that come later are to no call then.
  EXPECT_EXIT(
      {
        auto waits = call<&add>(0, 1, 2);
        int told = 0;
        call<&add>(0, 3, 4).then([&](status s, int) { told += s == status::peer_failed; });
        { auto dropped = call<&add>(0, 5, 6); }
        detail::fail_calls(engine(), 0);
        const bool right = waits.ready() && waits.wait() == status::peer_failed && told == 1 &&
                           self().calls == nullptr && in_use() == 1;
        std::_Exit(right ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST_F(calls, a_future_that_outlives_its_endpoint_has_failed) {
  future<int> waits, has_come;
  {
    endpoint other(1);
    has_come = call<&add>(address{0, 1}, 1, 2);
    EXPECT_EQ(has_come.wait(), status::ok);
    waits = call<&add>(0, 3, 4);  // endpoint 0 does not poll meanwhile
    EXPECT_FALSE(waits.ready());
  }
  EXPECT_TRUE(waits.ready());
  EXPECT_EQ(waits.wait(), status::peer_failed);
  EXPECT_EQ(has_come.get(), 3);
}

TEST_F(calls, threads_wait_side_by_side) {
  std::vector<ult::thread<int>> callers;
  for (int i = 0; i < 300; ++i)
    callers.push_back(ult::spawn([i] {
      int right = 0;
      for (int k = 0; k < 20; ++k) {
        if (k % 4 == 0) static_cast<void>(call<&add>(0, k, k).valid());
        auto f = call<&add>(0, i, k);
        if (k % 3 == 0) ult::wait_until(ended(f));
        right += f.get() == i + k;
        if (k % 5 == 0) right += spawn_call<&add>(0, i, k).get() != i + k ? -100 : 0;
      }
      return right;
    }));
  for (const auto& t : callers) EXPECT_EQ(t.join(), 20);
}

TEST_F(calls, a_future_is_waited_for_by_one_thread) {
  const auto two = [](const std::function<void(future<int>&)>& second) {
    future<int> f = call<&add>(0, 1, 2);
    const auto first = ult::spawn([&f] { static_cast<void>(f.wait()); });
    ult::this_thread::yield();
    second(f);
    first.join();
  };
  EXPECT_DEATH(two([](future<int>& f) { static_cast<void>(f.wait()); }),
               "a future is waited for by one thread");
  EXPECT_DEATH(two([](future<int>& f) { std::move(f).then([](status, int) {}); }),
               "a future is waited for by one thread");
  EXPECT_DEATH(two([](future<int>& f) { f = {}; }),
               "a future goes away while a thread waits for it");
}

}  // namespace
