// SPDX-License-Identifier: Apache-2.0
// Calls and their futures.
#include <array>
#include <deque>
#include <memory>

#include "spmd.hpp"

namespace {

using word = std::uint64_t;

struct point {
  double x, y, z;
  int tag;
};
struct cache_line {
  std::array<word, 8> w;
};

int add(int a, int b) { return a + b; }
point mirror(point p) noexcept { return {-p.x, -p.y, -p.z, p.tag + 1}; }
cache_line line_of(word seed) {
  cache_line l;
  for (word i = 0; i < 8; ++i) l.w[i] = seed * i;
  return l;
}
int whose() { return ramjet::rank(); }

word touched;
void touch(word by) { touched += by; }

}  // namespace

SPMD_CASE(calls, bring_values_of_every_kind) {
  for (int to = 0; to < spmd::size(); ++to) {
    EXPECT_EQUAL(ramjet::call<add>(to, 40, 2).get(), 42);
    EXPECT_EQUAL(ramjet::call<whose>(to).get(), to);
    const point p = ramjet::call<mirror>(to, point{1, 2, 3, 4}).get();
    EXPECT(p.x == -1 && p.y == -2 && p.z == -3 && p.tag == 5);
    const cache_line l = ramjet::call<line_of>(to, 7u).get();
    for (word i = 0; i < 8; ++i) EXPECT_EQUAL(l.w[i], 7 * i);
  }
  const word before = touched;
  for (int i = 0; i < 3; ++i) ramjet::call<touch>(spmd::rank(), 2u).get();
  EXPECT(touched >= before + 6);
}

SPMD_CASE(calls, ready_does_not_poll_and_wait_does) {
  ramjet::future<int> none;
  EXPECT(!none.valid());
  ramjet::future<int> f = ramjet::call<add>(spmd::right(), 1, 2);
  EXPECT(f.valid());
  EXPECT_OK(f.wait());
  EXPECT(f.ready());
  EXPECT_OK(f.wait());
  ramjet::future<int> g = std::move(f);
  EXPECT(!f.valid() && g.valid());  // NOLINT(bugprone-use-after-move): that is the question
  EXPECT_EQUAL(g.get(), 3);
  none = std::move(g);
  EXPECT(none.valid() && none.ready());
}

// Far more calls in flight than a ring holds, answered to whom they belong.
SPMD_CASE(calls, many_outstanding) {
  const auto count = int(spmd::scaled(20'000, 100));
  std::deque<ramjet::future<int>> futures;
  for (int i = 0; i < count; ++i)
    futures.push_back(ramjet::call<add>(i % spmd::size(), i, spmd::rank()));
  for (int i = count - 1; i >= 0; --i) {
    EXPECT_EQUAL(futures.back().get(), i + spmd::rank());
    futures.pop_back();
  }
}

// A dropped future abandons the result; neither the call nor the next user of its number.
SPMD_CASE(calls, dropped_futures) {
  const auto count = unsigned(spmd::scaled(3000, 20));
  EXPECT_OK(ramjet::barrier());
  touched = 0;
  EXPECT_OK(ramjet::barrier());
  for (unsigned i = 0; i < count; ++i) {
    {
      auto dropped = ramjet::call<touch>(spmd::right(), 1u);
    }
    {
      auto dropped = ramjet::call<add>(spmd::right(), 1000, 1000);
    }
    if (i % 16 == 0) EXPECT_EQUAL(ramjet::call<add>(spmd::right(), int(i), 1).get(), int(i) + 1);
  }
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(touched, count);
}

namespace {
unsigned delivered;
word chained;
void on_chained(word by) { chained += by; }
}  // namespace

SPMD_CASE(calls, then_runs_when_the_result_comes) {
  const auto count = unsigned(spmd::scaled(1000, 20));
  for (unsigned i = 0; i < count; ++i) {
    ramjet::call<add>(spmd::right(), int(i), 5).then([i](ramjet::status s, int value) {
      EXPECT_OK(s);
      EXPECT_EQUAL(value, int(i) + 5);
      ++delivered;
      EXPECT_OK(ramjet::chain<on_chained>(spmd::right(), 1u));  // it may chain
    });
  }
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(delivered, count);
  EXPECT_EQUAL(chained, count);
}

SPMD_CASE(calls, then_on_a_result_that_is_there) {
  auto f = ramjet::call<add>(spmd::right(), 1, 1);
  EXPECT_OK(f.wait());
  bool ran = false;
  std::move(f).then(
      [&](ramjet::status s, int value) { ran = s == ramjet::status::ok && value == 2; });
  EXPECT(ran);
  EXPECT(!f.valid());  // NOLINT(bugprone-use-after-move): used up
  auto nothing = ramjet::call<touch>(spmd::right(), 1u);
  EXPECT_OK(nothing.wait());
  bool void_ran = false;
  std::move(nothing).then([&](ramjet::status s) { void_ran = s == ramjet::status::ok; });
  EXPECT(void_ran);
}

namespace {
struct with_value {
  int value;
  with_value() = delete;
  explicit with_value(int v) : value(v) {}
};
with_value value_of(int x) { return with_value(x); }
}  // namespace

SPMD_CASE(calls, then_on_a_result_without_a_default) {
  int got = 0;
  ramjet::call<value_of>(spmd::right(), 7).then([&](ramjet::status s, with_value v) {
    EXPECT_OK(s);
    got = v.value;
  });
  EXPECT_OK(ramjet::wait_until([&] { return got != 0; }));
  EXPECT_EQUAL(got, 7);
}

namespace {

// What a continuation owns goes away with it, whether or not it ran on a living future.
struct counted {
  explicit counted(int* alive) : alive_(alive) { ++*alive_; }
  counted(const counted& other) : alive_(other.alive_) { ++*alive_; }
  ~counted() { --*alive_; }
  counted& operator=(const counted&) = delete;
  int* alive_;
};

}  // namespace

SPMD_CASE(calls, a_continuation_is_destroyed) {
  int alive = 0;
  bool ran = false;
  {
    counted c(&alive);
    ramjet::call<add>(spmd::right(), 1, 1).then([c, &ran](ramjet::status, int) { ran = true; });
  }
  EXPECT_OK(ramjet::wait_until([&] { return ran; }));
  EXPECT_OK(ramjet::quiesce());
  EXPECT_EQUAL(alive, 0);
}

namespace {
unsigned steps;
// A chain of calls: each continuation starts the next message.
void on_step(unsigned left) {
  ++steps;
  if (left != 0) EXPECT_OK(ramjet::chain<on_step>(spmd::right(), left - 1));
}
int begin_walk(unsigned left) {
  EXPECT_OK(ramjet::chain<on_step>(spmd::right(), left));
  return int(left);
}
}  // namespace

SPMD_CASE(calls, the_function_may_chain) {
  const auto length = unsigned(spmd::scaled(500, 10));
  EXPECT_EQUAL(ramjet::call<begin_walk>(spmd::right(), length - 1).get(), int(length) - 1);
  EXPECT_OK(ramjet::quiesce());
  unsigned all = steps;
  EXPECT_OK(ramjet::all_reduce(all, [](unsigned a, unsigned b) { return a + b; }));
  EXPECT_EQUAL(all, length * unsigned(spmd::size()));
}
