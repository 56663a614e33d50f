// SPDX-License-Identifier: Apache-2.0
// The life of a thread: spawn, join, detach, names, workers, thread-local values.
#include <array>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

class threads : public with_workers {};
RAMJET_WITH_WORKERS(threads);

// --- Arguments and results -----------------------------------------------------------------------

TEST_P(threads, return_what_they_computed) {
  auto sum = ult::spawn([](int a, long b, short c) { return a + b + c; }, 1, 20l, short{300});
  EXPECT_EQ(sum.join(), 321);
  EXPECT_EQ(sum.join(), 321);
}

TEST_P(threads, take_many_arguments) {
  auto all = ult::spawn([](auto... one) { return (int(one) + ...); }, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                        11, 12, 13, 14, 15, std::uint64_t{16}, 17.0, 18.0f, short{19}, 'a');
  EXPECT_EQ(all.join(), 190 + 'a');
}

TEST_P(threads, move_what_cannot_be_copied) {
  auto given = std::make_unique<int>(5);
  auto t = ult::spawn(
      [](std::unique_ptr<int> p) {
        ++*p;
        return p;
      },
      std::move(given));
  EXPECT_EQ(given, nullptr);
  EXPECT_EQ(*t.join(), 6);
}

TEST_P(threads, copy_what_they_are_given) {
  std::string word = "before";
  auto t = ult::spawn([](const std::string& w) { return w; }, word);
  word = "after";
  EXPECT_EQ(t.join(), "before");
}

TEST_P(threads, refer_through_std_ref) {
  int count = 0;
  ult::spawn([](int& c) { c = 7; }, std::ref(count)).join();
  EXPECT_EQ(count, 7);
}

int twice(int n) { return 2 * n; }
struct counter {
  int count = 0;
  int add(int n) { return count += n; }
};

TEST_P(threads, call_functions_and_members) {
  EXPECT_EQ(ult::spawn(twice, 21).join(), 42);
  counter c;
  EXPECT_EQ(ult::spawn(&counter::add, &c, 4).join(), 4);
  EXPECT_EQ(c.count, 4);
}

TEST_P(threads, take_and_return_large_and_aligned_values) {
  struct alignas(128) block {
    std::array<std::uint64_t, 64> words;
  };
  block b{};
  b.words[63] = 9;
  auto t = ult::spawn([](const block& given) { return given; }, b);
  EXPECT_EQ(t.join().words[63], 9u);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&t.join()) % 128, 0u);
}

// Counts its objects that are alive.
struct traced {
  static inline std::atomic<int> alive{0};
  traced() { ++alive; }
  traced(const traced&) { ++alive; }
  traced(traced&&) noexcept { ++alive; }
  ~traced() { --alive; }
  traced& operator=(const traced&) = default;
};
struct i_am_thrown {};

TEST_P(threads, leave_no_argument_or_result_behind) {
  traced::alive = 0;
  for (int i = 0; i < 100; ++i) {
    auto t = ult::spawn([](traced one) { return one; }, traced());
    if (i % 2 == 0) t.join();
  }
  EXPECT_EQ(traced::alive, 0);
}

// Callables and results lie in the descriptor or outside of it, by size, alignment and destructor.
template <std::size_t Bytes, std::size_t Align>
struct alignas(Align) sized {
  std::array<unsigned char, Bytes> bytes{};
};
template <std::size_t Bytes, std::size_t Align = 1>
void carry() {
  sized<Bytes, Align> given;
  for (std::size_t i = 0; i < Bytes; ++i) given.bytes[i] = static_cast<unsigned char>(i + Bytes);
  const auto check = [](const sized<Bytes, Align>& s) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&s) % Align, 0u);
    for (std::size_t i = 0; i < Bytes; ++i) EXPECT_EQ(s.bytes[i], (i + Bytes) % 256);
  };
  const auto at_once = ult::spawn([given] { return given; });
  check(at_once.join());
  const auto by_switch = ult::spawn([given] { return given; });
  ult::this_thread::yield();
  check(by_switch.join());
  const ult::attributes named{.name = "sized"};
  const auto chosen = ult::spawn(named, [given] { return given; });
  check(chosen.join());
  const auto counted = ult::spawn([given, one = traced()] { return std::pair(given, one); });
  check(counted.join().first);
}

TEST_P(threads, carry_callables_and_results_of_any_size) {
  traced::alive = 0;
  carry<1>();
  carry<8, 8>();
  carry<31>();
  carry<32, 32>();
  carry<33>();
  carry<64, 64>();
  carry<300, 128>();
  EXPECT_EQ(traced::alive, 0);
}

TEST_P(threads, leave_no_callable_behind_when_they_throw) {
  traced::alive = 0;
  for (int i = 0; i < 100; ++i) {
    auto small = ult::spawn([one = traced()] { throw i_am_thrown(); });
    const auto with_more = [one = traced()](const std::array<int, 50>&) { throw i_am_thrown(); };
    auto large = ult::spawn(with_more, std::array<int, 50>());
    if (i % 3 == 0) ult::this_thread::yield();
    EXPECT_THROW(small.join(), i_am_thrown);
    EXPECT_THROW(large.join(), i_am_thrown);
  }
  EXPECT_EQ(traced::alive, 0);
}

// --- Joining -------------------------------------------------------------------------------------

TEST_P(threads, are_joined_by_any_number_of_threads) {
  std::atomic<bool> go{false};
  std::atomic<int> sum{0};
  auto worker = ult::spawn([&] {
    ult::wait_until(ult::value(go) == true);
    return 3;
  });
  std::vector<ult::thread<>> joiners;
  joiners.reserve(50);
  for (int i = 0; i < 50; ++i) joiners.push_back(ult::spawn([&] { sum += worker.join(); }));
  for (int i = 0; i < 20; ++i) ult::this_thread::yield();
  EXPECT_EQ(sum, 0);
  EXPECT_FALSE(worker.ended());
  go = true;
  joiners.clear();  // waits
  EXPECT_EQ(sum, 150);
  EXPECT_TRUE(worker.ended());
}

TEST_P(threads, are_waited_for_by_their_handle) {
  std::atomic<int> ended{0};
  {
    std::vector<ult::thread<int>> all;
    for (int i = 0; i < 100; ++i)
      all.push_back(ult::spawn([&ended, i] {
        if (i % 3 == 0) ult::this_thread::yield();
        ++ended;
        return i;
      }));
  }
  EXPECT_EQ(ended, 100);
}

TEST_P(threads, handles_move) {
  auto t = ult::spawn([] { return 1; });
  const auto id = t.id();
  ult::thread<int> u = std::move(t);
  EXPECT_FALSE(t.joinable());
  EXPECT_EQ(t.id(), 0u);
  EXPECT_FALSE(t.ended());
  EXPECT_EQ(u.id(), id);
  t = std::move(u);
  EXPECT_EQ(t.join(), 1);
}

TEST_P(threads, spawn_others_deeply) {
  struct tree {
    static long count(int depth) {
      if (depth == 0) return 1;
      auto left = ult::spawn(count, depth - 1);
      auto right = ult::spawn(count, depth - 1);
      return left.join() + right.join();
    }
  };
  EXPECT_EQ(tree::count(kSanitized ? 8 : 12), kSanitized ? 256 : 4096);
}

TEST_P(threads, go_on_in_turn) {
  if (GetParam() != 1) GTEST_SKIP() << "several workers have no common order";
  std::string order;
  auto a = ult::spawn([&] {
    order += 'a';
    ult::this_thread::yield();
    order += 'A';
  });
  auto b = ult::spawn([&] {
    order += 'b';
    ult::this_thread::yield();
    order += 'B';
  });
  EXPECT_EQ(order, "");  // nothing runs before this thread yields
  ult::this_thread::yield();
  EXPECT_EQ(order, "ab");
  b.join();
  a.join();
  EXPECT_EQ(order, "abAB");
}

// --- Detaching -----------------------------------------------------------------------------------

TEST_P(threads, a_detached_one_is_joined_after_it_attached) {
  ult::thread<> held;
  std::atomic<bool> attached{false}, ended{false};
  ult::spawn({.worker = 0},
             [&] {  // it runs when this thread yields, having detached it
               held = ult::this_thread::attach();
               attached = true;
               ult::this_thread::sleep_for(std::chrono::milliseconds(1));
               ended = true;
             })
      .detach();
  ult::wait_until(ult::value(attached) == true);
  held.join();
  EXPECT_TRUE(ended);
}

TEST_P(threads, detached_ones_clean_up) {
  traced::alive = 0;
  std::atomic<int> ended{0};
  for (int i = 0; i < 100; ++i) {
    auto t = ult::spawn([&ended, i] {
      if (i % 2 == 0) ult::this_thread::yield();
      ++ended;
      return traced();
    });
    if (i % 3 == 0) ult::this_thread::yield();
    if (i % 7 == 0) yield_until([&] { return t.ended(); });
    t.detach();
    EXPECT_FALSE(t.joinable());
  }
  ult::wait_until(ult::value(ended) == 100);
  yield_until([] { return traced::alive == 0; });
}

// --- Names, numbers, workers ---------------------------------------------------------------------

TEST_P(threads, have_names) {
  EXPECT_STREQ(ult::this_thread::name(), "main");
  auto t = ult::spawn({.name = "first"}, [] {
    std::string names = ult::this_thread::name();
    ult::this_thread::set_name("second");
    ult::this_thread::yield();
    return names + ' ' + ult::this_thread::name();
  });
  EXPECT_EQ(t.join(), "first second");
  EXPECT_EQ(ult::spawn([] { return std::string(ult::this_thread::name()); }).join(), "");
}

TEST_P(threads, have_numbers_of_their_own) {
  EXPECT_EQ(ult::this_thread::id(), 1u);
  std::vector<ult::thread<std::uint32_t>> all;
  for (int i = 0; i < 200; ++i) all.push_back(ult::spawn([] { return ult::this_thread::id(); }));
  std::set<std::uint32_t> seen{0, 1};
  for (auto& t : all) {
    EXPECT_EQ(t.id(), t.join());
    EXPECT_TRUE(seen.insert(t.id()).second);
  }
}

TEST_P(threads, run_where_they_are_bound) {
  std::vector<ult::thread<bool>> all;
  for (unsigned i = 0; i < 10 * GetParam(); ++i)
    all.push_back(ult::spawn({.worker = int(i % GetParam())}, [home = i % GetParam()] {
      for (int n = 0; n < 50; ++n) {
        if (ult::this_thread::worker() != home) return false;
        ult::this_thread::yield();
      }
      return true;
    }));
  for (auto& t : all) EXPECT_TRUE(t.join());
}

TEST_P(threads, move_where_they_are_told) {
  auto t = ult::spawn([count = GetParam()] {
    for (unsigned i = 0; i < 40; ++i) {
      const unsigned home = (i * 7 + 1) % count;
      ult::this_thread::bind(home);
      for (int n = 0; n < 3; ++n) {
        if (ult::this_thread::worker() != home) return false;
        ult::this_thread::yield();
      }
      if (i % 5 == 0) ult::this_thread::unbind();
    }
    return true;
  });
  EXPECT_TRUE(t.join());
}

TEST_P(threads, choose_their_stacks) {
  struct deep {
    static int fill(std::size_t bytes) {
      volatile char* room = static_cast<volatile char*>(__builtin_alloca(bytes));
      for (std::size_t i = 0; i < bytes; i += 1024) room[i] = 1;
      return room[0];
    }
  };
  auto large = ult::spawn({.stack_bytes = 1 << 20}, deep::fill, std::size_t{900'000});
  auto small = ult::spawn({.stack_bytes = 1}, [] { return 2; });
  auto usual = ult::spawn([] { return 3; });
  EXPECT_EQ(large.join() + small.join() + usual.join(), 6);
}

// An idle worker is given whom there is to give: not a thread that is just yielding, and has not
// been saved, even if nobody else may leave.
TEST_P(threads, yield_beside_bound_ones) {
  std::atomic<bool> done{false};
  std::vector<ult::thread<>> bound;
  for (int i = 0; i < 3; ++i)
    bound.push_back(ult::spawn({.worker = 0}, [&] { yield_until([&] { return done.load(); }); }));
  auto free = ult::spawn([] {
    const auto begin = std::chrono::steady_clock::now();
    std::uint64_t steps = 0, wrong = 0;
    while (std::chrono::steady_clock::now() - begin < 200ms) {
      ult::this_thread::bind(0);
      ult::this_thread::unbind();
      const std::uint64_t before = steps;
      for (int i = 0; i < 10; ++i) {
        ++steps;
        ult::this_thread::yield();
      }
      if (steps != before + 10) ++wrong;
    }
    return wrong;
  });
  EXPECT_EQ(free.join(), 0u);
  done = true;
}

// A bound one that has waited longest comes first, also when others were given a part of those
// behind it meanwhile.
TEST_P(threads, bound_ones_keep_their_turn) {
  std::atomic<bool> all_there{false};
  std::vector<ult::thread<>> all;
  for (int i = 1; i < int(ult::workers()); ++i)  // so that nobody asks before all are there
    all.push_back(ult::spawn({.worker = i}, [&] {
      while (!all_there) std::this_thread::yield();
    }));
  int here = 0, turn = -1;
  all.push_back(ult::spawn({.worker = 0}, [&] { turn = here++; }));
  for (int i = 0; i < 200; ++i)
    all.push_back(ult::spawn([&] {
      if (ult::this_thread::worker() == 0) ++here;
    }));
  all_there = true;
  std::this_thread::sleep_for(20ms);  // the others ask
  yield_until([&] { return turn >= 0; });
  EXPECT_EQ(turn, 0);
}

// --- Thread-local values -------------------------------------------------------------------------

TEST_P(threads, have_no_values_before_they_use_them) {
  static const ult::local<int> count;
  ult::spawn([] {
    EXPECT_EQ(count.find(), nullptr);
    int& made = *count;
    EXPECT_EQ(count.find(), &made);
  }).join();
}

TEST_P(threads, have_values_of_their_own) {
  static const ult::local<int> depth;
  *depth = 100;
  std::vector<ult::thread<int>> all;
  for (int i = 0; i < 20; ++i)
    all.push_back(ult::spawn([i] {
      for (int n = 0; n < i; ++n) {
        ++*depth;
        ult::this_thread::yield();
      }
      return *depth;
    }));
  for (int i = 0; i < 20; ++i) EXPECT_EQ(all[unsigned(i)].join(), i);
  EXPECT_EQ(*depth, 100);
}

std::string ends;
template <char Letter>
struct tell_end {
  ~tell_end() { ends += Letter; }
};
struct tell_end_twice {
  ~tell_end_twice();
};
const ult::local<tell_end<'a'>> ends_last;
const ult::local<tell_end<'b'>> ends_first;
const ult::local<tell_end_twice> makes_another;
tell_end_twice::~tell_end_twice() {
  ends += '(';
  *ends_last;
}

TEST_P(threads, destroy_their_values_in_reverse) {
  ends.clear();
  ult::spawn([] {
    *ends_last;
    *ends_first;
  }).join();
  EXPECT_EQ(ends, "ba");
  ends.clear();
  ult::spawn([] { *makes_another; }).join();
  EXPECT_EQ(ends, "(a");
  ends.clear();
  ult::spawn([] {}).join();
  EXPECT_EQ(ends, "");
}

// A detached thread's result is destroyed by the thread itself, after its own values.
TEST_P(threads, destroy_values_that_their_results_have_made) {
  ends.clear();
  const auto here = ult::attributes{.worker = 0};
  ult::spawn(here, [] { return std::make_unique<tell_end_twice>(); }).detach();
  yield_until([] { return !ends.empty(); });
  EXPECT_EQ(ends, "(a");
}

// --- Sleeping ------------------------------------------------------------------------------------

TEST_P(threads, sleep_as_long_as_they_say) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<ult::thread<>> all;
  for (int i = 0; i < 100; ++i)
    all.push_back(ult::spawn([i] { ult::this_thread::sleep_for(1ms * (i % 20)); }));
  ult::this_thread::sleep_for(20ms);
  EXPECT_GE(std::chrono::steady_clock::now() - begin, 20ms);
  all.clear();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  ult::this_thread::sleep_for(-1s);
}

}  // namespace
