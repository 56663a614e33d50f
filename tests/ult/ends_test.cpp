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

// The handle is given up while the thread is about to end: the parcel finds it ended, in front of
// the news that the result's destructor waits for.
TEST_P(ends, drop_results_whose_destructors_wait_for_what_comes_later) {
  if (GetParam() == 1) GTEST_SKIP() << "one worker sends itself no parcels";
  for (int i = 0; i < 20; ++i) {
    ult::semaphore begin(0), told(0), dropped(0);
    std::atomic<bool> runs{false}, go_on{false};
    const auto at_end = [&] {
      told.acquire();
      dropped.release();
    };
    const auto tells = ult::spawn({.worker = 1}, [&] {
      begin.acquire();
      told.release();
    });
    auto t = ult::spawn({.worker = 1}, [&] {
      runs = true;
      while (!go_on) std::this_thread::yield();
      return calls_at_its_end<decltype(at_end)>(at_end);
    });
    yield_until([&] { return runs.load(); });
    t.detach();
    begin.release();
    go_on = true;
    dropped.acquire();
    tells.join();
  }
}

// Whoever knows that its handle is gone may attach, before its worker has looked into its inbox.
TEST_P(ends, a_thread_attaches_right_after_it_was_detached) {
  if (GetParam() == 1) GTEST_SKIP() << "one worker sends itself no parcels";
  for (int i = 0; i < 20; ++i) {
    std::atomic<bool> runs{false}, detached{false}, attached{false};
    ult::thread<> again;
    auto t = ult::spawn({.worker = 1}, [&] {
      runs = true;
      while (!detached) std::this_thread::yield();
      again = ult::this_thread::attach();
      attached = true;
    });
    yield_until([&] { return runs.load(); });
    t.detach();
    detached = true;
    yield_until([&] { return attached.load(); });
    again.join();
  }
}

}  // namespace
