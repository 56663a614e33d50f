// SPDX-License-Identifier: Apache-2.0
// The end of a thread where the user's destructors wait, move or throw, and handles that are given
// up at that moment.
#include <array>
#include <atomic>
#include <thread>
#include <utility>

#include "workers.hpp"

namespace {

class ends : public with_workers {};
RAMJET_WITH_WORKERS(ends);

// Calls `at_end` when the last of the objects that it was moved through is destroyed. Large enough
// that no other blocks are of its class.
template <class F>
struct calls_at_its_end {
  explicit calls_at_its_end(F f) : at_end(f) {}
  calls_at_its_end(calls_at_its_end&& other) noexcept
      : live(std::exchange(other.live, false)), at_end(other.at_end) {}
  ~calls_at_its_end() {
    if (live) at_end();
  }
  bool live = true;
  F at_end;
  std::array<char, 100> size{};
};

TEST_P(ends, give_blocks_back_where_a_results_destructor_has_led) {
  const unsigned last = GetParam() - 1;
  ult::spawn({.worker = 0}, [last] {
    const auto moves = [last] { ult::this_thread::bind(last); };
    using result = calls_at_its_end<decltype(moves)>;
    const void* first = nullptr;
    {
      const auto t = ult::spawn({.worker = 0}, [moves] { return result(moves); });
      first = &t.join();
    }
    ASSERT_EQ(ult::this_thread::worker(), last);
    const auto next = ult::spawn({.worker = int(last)}, [moves] { return result(moves); });
    EXPECT_EQ(&next.join(), first);  // the block that this worker was given last
  }).join();
}

TEST_P(ends, leave_no_block_behind_where_a_results_move_throws) {
  struct throws_when_moved {
    explicit throws_when_moved(const void** at) : place(at) {}
    throws_when_moved(throws_when_moved&& other) : place(other.place) {
      *place = this;
      throw 1;
    }
    const void** place;
    std::array<char, 100> size{};
  };
  const void *before = nullptr, *now = nullptr;
  for (int i = 0; i < 3; ++i) {
    before = now;
    const auto t = ult::spawn({.worker = 0}, [&now] { return throws_when_moved(&now); });
    EXPECT_THROW(t.join(), int);
  }
  EXPECT_NE(now, nullptr);
  EXPECT_EQ(now, before);
}

}  // namespace
