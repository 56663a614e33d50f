// SPDX-License-Identifier: Apache-2.0
// Conditions that are polled: all relations on variables of all sizes, tests, deadlines, several at
// once.
#include <array>
#include <functional>
#include <limits>
#include <thread>
#include <utility>
#include <vector>

#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

class conditions : public with_workers {};
RAMJET_WITH_WORKERS(conditions);

// A thread that calls `wait` stays in it until `satisfy` was called.
void expect_wait(const std::function<void()>& wait, const std::function<void()>& satisfy) {
  std::atomic<int> stage{0};
  auto t = ult::spawn([&] {
    stage = 1;
    wait();
    stage = 2;
  });
  ult::wait_until(ult::value(stage) != 0);
  for (int i = 0; i < 4; ++i) ult::this_thread::yield();
  EXPECT_EQ(stage, 1);
  satisfy();
  t.join();
  EXPECT_EQ(stage, 2);
}

// A thread that waits goes on when `variable` becomes `right`, and not while it is `wrong`.
template <class T, class Make>
void expect_wait(std::atomic<T>& variable, T wrong, T right, const Make& condition) {
  variable = wrong;
  expect_wait([&] { ult::wait_until(condition()); }, [&] { variable = right; });
}

// low < high, both held by variables and as constants.
template <class T>
void expect_relations(T low, T high) {
  std::atomic<T> v{};
  expect_wait(v, low, high, [&] { return ult::value(v) == high; });
  expect_wait(v, low, high, [&] { return ult::value(v) != low; });
  expect_wait(v, high, low, [&] { return ult::value(v) < high; });
  expect_wait(v, high, low, [&] { return ult::value(v) <= low; });
  expect_wait(v, low, high, [&] { return ult::value(v) > low; });
  expect_wait(v, low, high, [&] { return ult::value(v) >= high; });
  const T is_low = low, is_high = high;
  const auto l = ult::value(is_low), h = ult::value(is_high);
  expect_wait(v, low, high, [&] { return ult::value(v) == h; });
  expect_wait(v, low, high, [&] { return ult::value(v) != l; });
  expect_wait(v, high, low, [&] { return ult::value(v) < h; });
  expect_wait(v, high, low, [&] { return ult::value(v) <= l; });
  expect_wait(v, low, high, [&] { return ult::value(v) > l; });
  expect_wait(v, low, high, [&] { return ult::value(v) >= h; });
}

template <class T>
void expect_relations_of_extremes() {
  using limits = std::numeric_limits<T>;
  expect_relations<T>(limits::lowest(), limits::max());
  expect_relations<T>(T(5), T(6));
}

TEST_P(conditions, hold_for_integers_of_every_size) {
  expect_relations_of_extremes<std::int8_t>();
  expect_relations_of_extremes<std::uint8_t>();
  expect_relations_of_extremes<std::int16_t>();
  expect_relations_of_extremes<std::uint16_t>();
  expect_relations_of_extremes<std::int32_t>();
  expect_relations_of_extremes<std::uint32_t>();
  expect_relations_of_extremes<std::int64_t>();
  expect_relations_of_extremes<std::uint64_t>();
}

enum class state : std::uint8_t { idle, busy };

TEST_P(conditions, hold_for_other_kinds) {
  expect_relations<float>(-1.5f, 2.25f);
  expect_relations<double>(-1e300, 1e-300);
  expect_relations<bool>(false, true);
  expect_relations<state>(state::idle, state::busy);
  static int places[2];
  expect_relations<int*>(&places[0], &places[1]);
}

// They change at this worker only, so that plain stores will do.
TEST_P(conditions, look_at_plain_and_volatile_variables) {
  int plain = 0;
  volatile long changing = 0;
  auto a = ult::spawn({.worker = 0}, [&] { ult::wait_until(ult::value(plain) == 3); });
  auto b = ult::spawn({.worker = 0}, [&] { ult::wait_until(ult::value(changing) > 8); });
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(a.ended() || b.ended());
    ult::this_thread::yield();
    ++plain;
    changing = changing + 3;
  }
  a.join();
  b.join();
}

TEST_P(conditions, that_hold_already_do_not_yield) {
  int one = 1;
  bool ran = false;
  auto t = ult::spawn({.worker = 0}, [&] { ran = true; });
  ult::wait_until(ult::value(one) == 1);
  ult::wait_until([&] { return one == 1; });
  EXPECT_EQ(ult::wait_any(ult::value(one) == 2, ult::value(one) == 1, ult::value(one) > 0), 1u);
  EXPECT_FALSE(ran);
}

TEST_P(conditions, see_what_a_system_thread_writes) {
  std::atomic<int> turn{0};
  int message = 0;
  std::thread outside([&] {
    std::this_thread::sleep_for(10ms);
    message = 7;
    turn.store(1, std::memory_order_release);
  });
  ult::wait_until(ult::value(turn) == 1);
  EXPECT_EQ(message, 7);
  outside.join();
}

TEST_P(conditions, are_tests_of_any_kind) {
  std::atomic<int> a{0}, b{0};
  std::vector<ult::thread<int>> all;
  for (int i = 1; i <= 30; ++i)
    all.push_back(ult::spawn([&, i] {
      ult::wait_until([&, i] { return a + b >= i; });
      return a + b;
    }));
  for (int i = 0; i < 15; ++i) {
    ++a;
    ult::this_thread::yield();
    ++b;
    ult::this_thread::yield();
  }
  for (int i = 0; i < 30; ++i) EXPECT_GT(all[unsigned(i)].join(), i);
  auto by_pointer = ult::spawn([&] {
    ult::wait_until(ult::test([](void* v) { return *static_cast<std::atomic<int>*>(v) == 1; }, &a));
  });
  ult::this_thread::yield();
  EXPECT_FALSE(by_pointer.ended());
  a = 1;
  by_pointer.join();
}

TEST_P(conditions, any_tells_which) {
  std::atomic<int> a{0}, b{0};
  const auto wait = [&] {
    return ult::wait_any(
        ult::value(a) == 1, ult::value(b) == 1,
        ult::test([](void* v) { return *static_cast<std::atomic<int>*>(v) == 2; }, &a),
        ult::after(1h));
  };
  auto t = ult::spawn(wait);
  for (int i = 0; i < 5; ++i) ult::this_thread::yield();
  b = 1;
  EXPECT_EQ(t.join(), 1u);
  b = 0;
  auto u = ult::spawn(wait);
  for (int i = 0; i < 5; ++i) ult::this_thread::yield();
  a = 2;
  EXPECT_EQ(u.join(), 2u);
}

TEST_P(conditions, end_by_a_deadline) {
  int never = 0;
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(ult::wait_any(ult::value(never) == 1, ult::after(20ms)), 1u);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, 20ms);
  EXPECT_LT(took, 5s);
  EXPECT_EQ(ult::wait_any(ult::value(never) == 1, ult::deadline(begin)), 1u);
}

// None too early; how late some are is the machine's.
TEST_P(conditions, many_deadlines_pass) {
  std::vector<ult::thread<>> all;
  int awake = 0;
  for (int i = 0; i < 50; ++i)
    all.push_back(ult::spawn({.worker = 0}, [&awake, i] {
      const auto due = std::chrono::steady_clock::now() + 4ms * (i * 7 % 50);
      ult::this_thread::sleep_until(due);
      EXPECT_GE(std::chrono::steady_clock::now(), due);
      ++awake;
    }));
  all.clear();
  EXPECT_EQ(awake, 50);
}

// More conditions than one pass tests, of several kinds, some of them taken back.
TEST_P(conditions, many_at_once) {
  constexpr int kThreads = kSanitized ? 300 : 3000;
  std::atomic<int> turn{0};
  std::atomic<long> sum{0};
  std::vector<ult::thread<>> all;
  for (int i = 0; i < kThreads; ++i)
    all.push_back(ult::spawn([&, i] {
      switch (i % 3) {
        case 0:
          ult::wait_until(ult::value(turn) > i);
          break;
        case 1:
          ult::wait_until([&] { return turn > i; });
          break;
        default:
          EXPECT_EQ(ult::wait_any(ult::after(1h), ult::value(turn) > i), 1u);
      }
      EXPECT_GT(turn, i);
      sum += i;
    }));
  for (int i = 0; i < kThreads; i += 10) {
    turn = i;
    ult::this_thread::yield();
  }
  turn = kThreads;
  all.clear();
  EXPECT_EQ(sum, long{kThreads} * (kThreads - 1) / 2);
}

// Two threads that only wait for each other leave the tests and deadlines of others their turns.
TEST_P(conditions, on_variables_do_not_starve_tests_and_deadlines) {
  constexpr unsigned kTurns = 200'000;
  const ult::attributes here{.worker = 0};
  std::atomic<unsigned> turn{0};
  unsigned tested_at = kTurns, passed_at = kTurns;
  unsigned tests_by_threads = 0;
  const auto play = [&turn](unsigned mine) {
    for (; mine < kTurns; mine += 2) {
      ult::wait_until(ult::value(turn) == mine);
      ++turn;
    }
  };
  const auto of_test = ult::spawn(here, [&] {
    ult::wait_until([&] {
      tests_by_threads += ult::this_thread::id() != 0;
      return turn > 10;
    });
    tested_at = turn;
  });
  const auto of_time = ult::spawn(here, [&] {
    static_cast<void>(ult::wait_any(ult::after(1us)));
    passed_at = turn;
  });
  const auto even = ult::spawn(here, play, 0u);
  const auto odd = ult::spawn(here, play, 1u);
  of_test.join();
  of_time.join();
  EXPECT_LT(tested_at, kTurns);
  EXPECT_LT(passed_at, kTurns);
  EXPECT_EQ(tests_by_threads, 1u);  // before it waits; then the scheduler, on its own stack
}

// Times that the clock does not hold, which stand for ever.
TEST_P(conditions, wait_for_ever) {
  using std::chrono::hours;
  using std::chrono::nanoseconds;
  std::atomic<int> v{0};
  ult::semaphore units(0);
  ult::mutex m, held;
  ult::condition_variable changed;
  bool is_changed = false;  // guarded by m
  std::unique_lock holds(held);
  std::size_t fired = 9;
  expect_wait([&] { fired = ult::wait_any(ult::value(v) == 1, ult::after(nanoseconds::max())); },
              [&] { v = 1; });
  EXPECT_EQ(fired, 0u);
  bool got = false;
  expect_wait([&] { got = units.try_acquire_for(nanoseconds::max()); }, [&] { units.release(); });
  EXPECT_TRUE(std::exchange(got, false));
  expect_wait(
      [&] {
        std::unique_lock lock(m);
        got = changed.wait_for(lock, hours::max(), [&] { return is_changed; });
      },
      [&] {
        const std::unique_lock lock(m);
        is_changed = true;
        changed.notify_one();
      });
  EXPECT_TRUE(std::exchange(got, false));
  expect_wait(
      [&] {
        got = held.try_lock_for(std::chrono::duration<double>(1e300));
        held.unlock();
      },
      [&] { holds.unlock(); });
  EXPECT_TRUE(got);
  bool slept_out = false;
  auto sleeper = ult::spawn([&] {
    ult::this_thread::sleep_for(hours::max());
    slept_out = true;
  });
  for (int i = 0; i < 4; ++i) ult::this_thread::yield();
  sleeper.cancel();
  EXPECT_THROW(sleeper.join(), ult::cancelled);
  EXPECT_FALSE(slept_out);
  EXPECT_FALSE(units.try_acquire_for(hours::min()));
}

// A token goes round between threads of all workers.
TEST_P(conditions, pass_a_token_round) {
  constexpr int kThreads = 16, kRounds = kSanitized ? 20 : 200;
  std::atomic<int> turn{0};
  long steps = 0;  // whoever has the token writes
  std::vector<ult::thread<>> all;
  for (int i = 0; i < kThreads; ++i)
    all.push_back(ult::spawn({.worker = int(unsigned(i) % GetParam())}, [&, i] {
      for (int round = 0; round < kRounds; ++round) {
        ult::wait_until(ult::value(turn) == i);
        ++steps;
        turn.store((i + 1) % kThreads, std::memory_order_release);
      }
    }));
  all.clear();
  EXPECT_EQ(steps, long{kThreads} * kRounds);
}

}  // namespace
