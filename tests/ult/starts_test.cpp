// SPDX-License-Identifier: Apache-2.0
// Threads whose callable blocks or throws when it is copied or moved.
#include <array>
#include <bit>

#include "workers.hpp"

namespace {

class starts : public with_workers {};
RAMJET_WITH_WORKERS(starts);

// Copied, it goes on at another worker: which ones give numbers says share_ids (workers.cpp).
struct moves_when_copied {
  explicit moves_when_copied(unsigned worker) : to(worker) {}
  moves_when_copied(const moves_when_copied& other) : to(other.to), room(other.room) {
    ult::this_thread::bind(to);
  }
  void operator()() const {}
  unsigned to;
  std::array<char, 100> room{};
};

TEST_P(starts, start_where_copying_their_callable_has_led) {
  const unsigned last = GetParam() - 1;
  const auto giver_of = [](std::uint32_t id) { return id % std::bit_ceil(ult::workers() + 1) - 1; };
  auto t = ult::spawn([&] {
    const moves_when_copied callable(last);
    for (int i = 0; i < 20; ++i) {
      ult::this_thread::bind(0);
      const auto one = ult::spawn(callable);
      EXPECT_EQ(giver_of(one.id()), last);
      ult::this_thread::bind(0);
      const auto named = ult::spawn({.name = "one"}, [](const moves_when_copied&) {}, callable);
      EXPECT_EQ(giver_of(named.id()), last);
    }
  });
  t.join();
}

template <std::size_t Bytes>
struct throws_when_copied {
  throws_when_copied() = default;
  throws_when_copied(const throws_when_copied&) { throw Bytes; }
  void operator()() const {}
  std::array<char, Bytes> room{};
};

// Moved into the thread's descriptor or block it is whole; moved on from there it throws.
struct throws_when_moved_on {
  explicit throws_when_moved_on(int& alive) : living(alive) { ++living; }
  throws_when_moved_on(throws_when_moved_on&& other)
      : living(other.living), moves(other.moves + 1) {
    if (moves == 2) throw 2;
    ++living;
  }
  ~throws_when_moved_on() { --living; }
  void operator()() const {}
  int& living;
  int moves = 0;
  std::array<char, 100> room{};
};

TEST_P(starts, end_a_callable_that_throws_when_it_is_moved_to_the_stack) {
  int living = 0;
  auto t = ult::spawn(throws_when_moved_on(living));
  EXPECT_THROW(t.join(), int);
  EXPECT_EQ(living, 0);
  auto argument = ult::spawn([](const throws_when_moved_on&) {}, throws_when_moved_on(living));
  EXPECT_THROW(argument.join(), int);
  EXPECT_EQ(living, 0);
}

TEST_P(starts, leave_nothing_behind_when_their_callable_throws) {
  const auto free_ones = [] {
    const auto* w = ult::detail::this_worker();
    std::uint64_t count = w->descriptors.count;
    for (const auto& list : w->blocks) count += list.count;
    return count;
  };
  const throws_when_copied<1> small;
  const throws_when_copied<100> large;
  const auto try_all = [&] {
    EXPECT_THROW(ult::spawn(small), std::size_t);
    EXPECT_THROW(ult::spawn(large), std::size_t);
    EXPECT_THROW(ult::spawn({.name = "named"}, small), std::size_t);
    EXPECT_THROW(ult::spawn([](const auto&) {}, small), std::size_t);
  };
  try_all();
  const std::uint64_t before = free_ones();
  for (int i = 0; i < 10; ++i) try_all();
  EXPECT_EQ(free_ones(), before);
}

}  // namespace
