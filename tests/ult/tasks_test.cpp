// SPDX-License-Identifier: Apache-2.0
// Fork and join.
#include <atomic>
#include <bit>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "workers.hpp"

namespace {

class tasks : public with_workers {};
RAMJET_WITH_WORKERS(tasks);

long fib(int n) {
  if (n < 2) return n;
  long a = 0;
  ult::task_group g;
  g.run([&] { a = fib(n - 1); });
  const long b = fib(n - 2);
  g.wait();
  return a + b;
}

TEST_P(tasks, nest) { EXPECT_EQ(fib(kSanitized ? 14 : 22), kSanitized ? 377 : 17711); }

TEST_P(tasks, nest_in_threads) {
  std::vector<ult::thread<long>> all;
  for (int i = 0; i < 20; ++i) all.push_back(ult::spawn(fib, 10));
  for (auto& t : all) EXPECT_EQ(t.join(), 55);
}

TEST_P(tasks, are_waited_for_by_the_destructor) {
  std::atomic<int> ran{0};
  {
    ult::task_group g;
    for (int i = 0; i < 100; ++i) g.run([&] { ++ran; });
  }
  EXPECT_EQ(ran, 100);
}

TEST_P(tasks, add_tasks_to_their_group) {
  std::atomic<int> ran{0};
  ult::task_group g;
  struct adder {
    static void grow(ult::task_group& group, std::atomic<int>& count, int depth) {
      ++count;
      if (depth == 0) return;
      for (int i = 0; i < 2; ++i)
        group.run([&group, &count, depth] { grow(group, count, depth - 1); });
    }
  };
  g.run([&] { adder::grow(g, ran, 9); });
  g.wait();
  EXPECT_EQ(ran, 1023);
  g.run([&] { ++ran; });  // once more
  g.wait();
  EXPECT_EQ(ran, 1024);
}

TEST_P(tasks, have_ended_once_their_callables_are_gone) {
  struct ends_late {
    explicit ends_late(std::atomic<int>& counts) : gone(&counts) {}
    ends_late(ends_late&& other) noexcept : gone(std::exchange(other.gone, nullptr)) {}
    ~ends_late() {
      if (gone == nullptr) return;
      ult::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++*gone;
    }
    void operator()() const {}
    std::atomic<int>* gone;
  };
  std::atomic<int> gone{0};
  ult::task_group g;
  for (int i = 0; i < 10; ++i) g.run(ends_late(gone));
  ult::this_thread::yield();  // to tasks on stacks of their own
  g.wait();
  EXPECT_EQ(gone, 10);
}

// Whichever way it goes: on the stack of the thread that waits, or on another one.
TEST_P(tasks, are_not_cancelled_with_their_owner) {
  for (const bool before : {true, false}) {
    ult::mutex held;
    ult::semaphore runs(0), go_on(0);
    std::atomic<int> ended{0};
    held.lock();
    auto owner = ult::spawn([&] {
      held.lock();
      held.unlock();
      ult::task_group g;
      for (int i = 0; i < 3; ++i)
        g.run([&] {
          runs.release();
          go_on.acquire();
          ult::this_thread::check_cancelled();
          ++ended;
        });
      g.wait();
      ult::this_thread::check_cancelled();
      ADD_FAILURE() << "the owner has not heard of it";
    });
    if (before) owner.cancel();
    held.unlock();
    for (int i = 0; i < 3; ++i) {
      runs.acquire();
      if (!before && i == 0) owner.cancel();
      go_on.release();
    }
    EXPECT_THROW(owner.join(), ult::cancelled);
    EXPECT_EQ(ended, 3);
  }
}

TEST_P(tasks, tell_what_they_threw) {
  std::atomic<int> ran{0};
  ult::task_group g;
  for (int i = 0; i < 50; ++i)
    g.run([&, i] {
      ++ran;
      if (i == 20) throw i;
    });
  EXPECT_THROW(g.wait(), int);
  EXPECT_EQ(ran, 50);
  g.wait();  // told once
}

TEST_P(tasks, may_block) {
  ult::semaphore s(0);
  std::atomic<int> through{0};
  ult::task_group g;
  auto t = ult::spawn([&] { s.release(40); });
  for (int i = 0; i < 40; ++i)
    g.run([&] {
      s.acquire();
      ++through;
    });
  g.wait();
  EXPECT_EQ(through, 40);
}

// Ends that a worker has not told yet reach the owner before anything else runs there: the tasks of
// one group wait for what comes after the other group.
TEST_P(tasks, of_one_group_may_wait_for_anothers_end) {
  for (int i = 0; i < 20; ++i) {
    ult::semaphore first_is_over(0);
    std::atomic<int> ran{0};
    ult::task_group second;
    {
      ult::task_group first;
      for (int k = 0; k < 40; ++k) {
        first.run([&] { ++ran; });
        second.run([&] { first_is_over.acquire(); });
      }
      first.wait();
    }
    EXPECT_EQ(ran, 40);
    first_is_over.release(40);
    second.wait();
  }
}

TEST_P(tasks, that_moved_are_counted) {
  const unsigned last = GetParam() - 1;
  std::atomic<int> ran{0};
  ult::task_group g;
  for (int k = 0; k < 200; ++k)
    g.run([&, k] {
      if (k % 10 == 0) {
        ult::spawn([last] { ult::this_thread::bind(last); }).join();
        ult::this_thread::yield();
      }
      ++ran;
    });
  g.wait();
  EXPECT_EQ(ran, 200);
}

// The thread sanitizer sees the worker that is written to by two.
TEST_P(tasks, are_added_where_copying_them_has_led) {
  struct moves_when_copied {
    moves_when_copied(unsigned worker, std::atomic<int>& counts) : to(worker), ran(counts) {}
    moves_when_copied(const moves_when_copied& other) : to(other.to), ran(other.ran) {
      ult::spawn([worker = to] { ult::this_thread::bind(worker); }).join();
      ult::this_thread::yield();
    }
    void operator()() const { ++ran; }
    unsigned to;
    std::atomic<int>& ran;
  };
  const unsigned last = GetParam() - 1;
  std::atomic<int> ran{0};
  ult::task_group g;
  for (int i = 0; i < 200; ++i)
    g.run([&] {
      const moves_when_copied callable(last, ran);
      g.run(callable);
    });
  g.wait();
  EXPECT_EQ(ran, 200);
}

TEST_P(tasks, large_ones_are_kept_whole) {
  std::array<long, 100> numbers;
  std::iota(numbers.begin(), numbers.end(), 0);
  std::atomic<long> sum{0};
  ult::task_group g;
  for (int i = 0; i < 10; ++i)
    g.run([numbers, &sum] { sum += std::accumulate(numbers.begin(), numbers.end(), 0l); });
  g.wait();
  EXPECT_EQ(sum, 49'500);
}

TEST_P(tasks, parallel_for_calls_each_once) {
  for (const std::size_t n : {0u, 1u, 7u, 1000u, kSanitized ? 2000u : 100'000u})
    for (const std::size_t grain : {0u, 1u, 3u, 5000u}) {
      std::vector<int> calls(n);
      ult::parallel_for(0, n, [&](std::size_t i) { ++calls[i]; }, grain);
      EXPECT_EQ(std::count(calls.begin(), calls.end(), 1), std::ptrdiff_t(n));
    }
  std::atomic<int> sum{0};
  ult::parallel_for(-50, 51, [&](int i) { sum += i + 1; });
  EXPECT_EQ(sum, 101);
  ult::parallel_for(5, 3, [&](int) { ++sum; });
  EXPECT_EQ(sum, 101);
}

// How often each index of an 8- or 16-bit type was called, from its least one.
template <class I>
void expect_each_once(std::size_t grain) {
  using limits = std::numeric_limits<I>;
  std::vector<std::atomic<int>> calls(std::size_t{1} << 8 * sizeof(I));
  ult::parallel_for(
      limits::min(), limits::max(),
      [&](I i) { ++calls[std::size_t(std::ptrdiff_t(i) - limits::min())]; }, grain);
  EXPECT_EQ(calls.back(), 0);
  for (std::size_t i = 0; i + 1 < calls.size(); ++i) ASSERT_EQ(calls[i], 1) << i;
}

TEST_P(tasks, parallel_for_of_more_than_half_of_a_type) {
  for (const std::size_t grain :
       {std::size_t{0}, std::size_t{1}, std::size_t{200}, std::size_t{40'000}, ~std::size_t{0}}) {
    expect_each_once<signed char>(grain);
    expect_each_once<unsigned char>(grain);
    expect_each_once<short>(grain);
  }
}

// A difference that an int does not hold, where a second worker is given halves of the range.
TEST_P(tasks, parallel_for_of_more_than_an_int_holds) {
  if (kSanitized || GetParam() != 2) GTEST_SKIP() << "it takes long";
  constexpr int kFar = 1'080'000'000;
  std::vector<unsigned> calls(ult::workers() * 16);  // every 16th is a worker's
  const auto count = [&](int) { ++calls[ult::this_thread::worker() * 16]; };
  ult::parallel_for(-kFar, kFar, count);
  EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), 0u), 2u * kFar);
}

// All the work is in the first of the pieces that a loop begins with, and each call takes long
// until a second worker has one: it is given a part of that piece.
TEST_P(tasks, parallel_for_divides_a_piece_that_is_long) {
  constexpr int kPiece = 100;
  constexpr auto kLong = std::chrono::milliseconds(50);
  if (ult::workers() == 1) GTEST_SKIP() << "one worker has nobody to divide for";
  const int pieces = 8 * int(ult::workers());
  std::atomic<unsigned> at{0};  // a bit for each worker
  std::atomic<int> calls{0};
  ult::parallel_for(0, pieces * kPiece, [&](int i) {
    if (i >= kPiece) return;
    ++calls;
    at |= 1u << ult::this_thread::worker();
    const auto end = std::chrono::steady_clock::now() + kLong;
    while (std::has_single_bit(at.load()) && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
  });
  EXPECT_EQ(calls, kPiece);
  EXPECT_GT(std::popcount(at.load()), 1);
}

TEST_P(tasks, parallel_for_nests) {
  constexpr int kRows = 40, kColumns = 300;
  std::vector<int> calls(kRows * kColumns);
  ult::parallel_for(0, kRows, [&](int row) {
    ult::parallel_for(0, kColumns * row / kRows, [&](int i) { ++calls[row * kColumns + i]; });
  });
  for (int row = 0; row < kRows; ++row)
    for (int i = 0; i < kColumns; ++i)
      ASSERT_EQ(calls[row * kColumns + i], i < kColumns * row / kRows) << row << ", " << i;
}

TEST_P(tasks, parallel_for_tells_what_was_thrown) {
  for (const int bad : {0, 500, 999}) {
    std::atomic<int> calls{0};
    EXPECT_THROW(ult::parallel_for(
                     0, 1000,
                     [&](int i) {
                       ++calls;
                       if (i == bad) throw i;
                     },
                     10),
                 int);
    EXPECT_GE(calls, 990 - 10);
  }
}

}  // namespace
