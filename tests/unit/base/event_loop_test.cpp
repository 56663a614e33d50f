// SPDX-License-Identifier: Apache-2.0
#include "base/event_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>

#include <thread>
#include <utility>
#include <vector>

namespace ramjet::base {
namespace {

enum class source : std::uint32_t { first, second = 7 };
using events = std::vector<std::pair<source, std::uint32_t>>;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

struct event_loop_test : testing::Test {
  event_loop_test() { EXPECT_TRUE(loop.open()); }
  ~event_loop_test() override {
    for (int fd : {a, b}) ::close(fd);
  }
  // What is ready now.
  events round() {
    events seen;
    loop.wait(1, [&](source what, std::uint32_t index) { seen.emplace_back(what, index); });
    return seen;
  }
  static void ring(int fd) { EXPECT_EQ(::eventfd_write(fd, 1), 0); }

  event_loop<source> loop;
  int a = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), b = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
};

TEST_F(event_loop_test, says_what_is_ready_and_its_number) {
  ASSERT_TRUE(loop.watch(a, source::first, 0xffff'ffff));
  ASSERT_TRUE(loop.watch(b, source::second, 3));
  EXPECT_THAT(round(), IsEmpty());
  ring(b);
  EXPECT_THAT(round(), ElementsAre(Pair(source::second, 3u)));
  ring(a);
  EXPECT_THAT(round(), testing::UnorderedElementsAre(Pair(source::second, 3u),
                                                     Pair(source::first, 0xffff'ffffu)));
}

TEST_F(event_loop_test, watching_again_changes_what_it_is_watched_for) {
  ASSERT_TRUE(loop.watch(a, source::first, 1));
  ASSERT_TRUE(loop.watch(a, source::second, 2, EPOLLOUT));  // always has room
  EXPECT_THAT(round(), ElementsAre(Pair(source::second, 2u)));
}

TEST_F(event_loop_test, a_forgotten_descriptor_is_silent) {
  ASSERT_TRUE(loop.watch(a, source::first, 1));
  ring(a);
  loop.forget(a);
  EXPECT_THAT(round(), IsEmpty());
  EXPECT_FALSE(loop.rearm(a, source::first, 1, EPOLLIN));
}

TEST_F(event_loop_test, one_shot_comes_once_until_it_is_armed_anew) {
  ASSERT_TRUE(loop.watch(a, source::first, 1, EPOLLIN | EPOLLONESHOT));
  ring(a);
  EXPECT_THAT(round(), ElementsAre(Pair(source::first, 1u)));
  EXPECT_THAT(round(), IsEmpty());
  ASSERT_TRUE(loop.rearm(a, source::first, 1, EPOLLIN | EPOLLONESHOT));
  EXPECT_THAT(round(), ElementsAre(Pair(source::first, 1u)));
}

TEST_F(event_loop_test, a_wait_without_a_deadline_ends_when_another_thread_adds_what_is_ready) {
  std::thread other([this] {
    ring(b);
    loop.watch(b, source::second, 9);
  });
  events seen;
  loop.wait(0, [&](source what, std::uint32_t index) { seen.emplace_back(what, index); });
  other.join();
  EXPECT_THAT(seen, ElementsAre(Pair(source::second, 9u)));
}

TEST(milliseconds_until_test, rounds_up_and_knows_no_deadline) {
  EXPECT_EQ(milliseconds_until(0), -1);
  EXPECT_EQ(milliseconds_until(1), 0);
  EXPECT_GE(milliseconds_until(now_ns() + 500'000'000), 1);
  EXPECT_LE(milliseconds_until(now_ns() + 500'000'000), 500);
  EXPECT_LE(milliseconds_until(~std::uint64_t{0}), 3'600'000);  // more than an int's milliseconds
}

}  // namespace
}  // namespace ramjet::base
