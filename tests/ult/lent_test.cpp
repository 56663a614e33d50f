// SPDX-License-Identifier: Apache-2.0
// A thread that is joined before it has begun may run on its joiner's stack: it is a thread like
// any other all the same.
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

class lent_stacks : public with_workers {};
RAMJET_WITH_WORKERS(lent_stacks);

constexpr int kTries = 100;  // the watcher's turn comes between, and other workers take some

// In a thread that has a stack of the usual size.
template <class F>
void in_a_thread(F&& f) {
  ult::spawn(std::forward<F>(f)).join();
}

std::uintptr_t stack_place() {
  return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

bool is_below(std::uintptr_t place) {
  const std::uintptr_t here = stack_place();
  return here < place && place - here < 16 * 1024;
}

TEST_P(lent_stacks, are_used) {
  int lent = 0;
  in_a_thread([&] {
    for (int i = 0; i < kTries; ++i)
      lent += ult::spawn([at = stack_place()] { return is_below(at); }).join();
  });
  if (GetParam() == 1) {
    EXPECT_GT(lent, kTries / 2);
  }
}

TEST_P(lent_stacks, are_thread_1s_too) {
  int lent = 0;
  for (int i = 0; i < kTries; ++i)
    lent += ult::spawn([at = stack_place()] { return is_below(at); }).join();
  if (GetParam() == 1) {
    EXPECT_GT(lent, kTries / 2);
  }
  EXPECT_EQ(ult::this_thread::id(), 1u);
  EXPECT_STREQ(ult::this_thread::name(), "main");
}

long fib(int n) {
  if (n < 2) return n;
  auto one = ult::spawn(fib, n - 1);
  const long other = fib(n - 2);
  return one.join() + other;
}

TEST_P(lent_stacks, compute_what_forks_and_joins) {
  in_a_thread([] { EXPECT_EQ(fib(kSanitized ? 12 : 20), kSanitized ? 144 : 6765); });
}

int depth_of_chain(int n) { return n == 0 ? 0 : 1 + ult::spawn(depth_of_chain, n - 1).join(); }

// Much deeper than a stack: those below half of it get one of their own.
TEST_P(lent_stacks, do_not_overflow) {
  const int deep = kSanitized ? 500 : 20'000;
  in_a_thread([deep] { EXPECT_EQ(depth_of_chain(deep), deep); });
}

std::size_t use_stack(std::size_t bytes) {
  volatile char room[1024];
  room[0] = char(bytes);
  return bytes <= sizeof room ? std::size_t(room[0] != 0) : use_stack(bytes - sizeof room) + 1;
}

// On a lent stack, too, there is as much as options::stack_bytes says.
TEST_P(lent_stacks, have_the_room_that_is_promised) {
  if (kSanitized) GTEST_SKIP() << "its frames are larger";
  in_a_thread([] {
    for (int i = 0; i < kTries; ++i)
      EXPECT_GT(
          ult::spawn([] { return ult::spawn(use_stack, std::size_t{40 * 1024}).join(); }).join(),
          0u);
  });
}

ult::local<std::string> note;

TEST_P(lent_stacks, keep_names_numbers_and_locals_apart) {
  in_a_thread([] {
    ult::this_thread::set_name("below");
    *note = "mine";
    const std::uint32_t mine = ult::this_thread::id();
    for (int i = 0; i < kTries; ++i) {
      auto t = ult::spawn({.name = "above"}, [] {
        EXPECT_STREQ(ult::this_thread::name(), "above");
        EXPECT_EQ(*note, "");
        *note = "another's";
        return ult::this_thread::id();
      });
      const std::uint32_t its = t.id();
      EXPECT_EQ(t.join(), its);
      EXPECT_NE(its, mine);
      EXPECT_EQ(ult::this_thread::id(), mine);
      EXPECT_STREQ(ult::this_thread::name(), "below");
      EXPECT_EQ(*note, "mine");
    }
  });
}

// What is held below is not held above, although both have one control block.
TEST_P(lent_stacks, hold_mutexes_by_themselves) {
  in_a_thread([] {
    ult::mutex below, both;
    ult::recursive_mutex again;
    ult::shared_mutex shared;
    below.lock();
    again.lock();
    shared.lock();
    for (int i = 0; i < kTries; ++i)
      ult::spawn([&] {
        EXPECT_FALSE(below.try_lock());
        EXPECT_FALSE(below.try_lock_for(1ns));
        EXPECT_FALSE(again.try_lock());
        EXPECT_FALSE(shared.try_lock());
        both.lock();
        both.unlock();
      }).join();
    shared.unlock();
    again.unlock();
    below.unlock();
  });
}

// What runs on a lent stack may block, and go on when another thread says so.
TEST_P(lent_stacks, wait) {
  in_a_thread([] {
    for (int i = 0; i < kTries; ++i) {
      ult::semaphore told{0}, heard{0};
      auto other = ult::spawn([&] {
        told.acquire();
        heard.release();
      });
      auto above = ult::spawn([&] {
        told.release();
        heard.acquire();
        return i;
      });
      EXPECT_EQ(above.join(), i);
      other.join();
    }
  });
}

TEST_P(lent_stacks, pass_exceptions_on) {
  in_a_thread([] {
    for (int i = 0; i < kTries; ++i) {
      auto t = ult::spawn([i] { throw std::to_string(i); });
      try {
        t.join();
        ADD_FAILURE() << "nothing was thrown";
      } catch (const std::string& what) {
        EXPECT_EQ(what, std::to_string(i));
      }
    }
  });
}

// A joiner that handles an exception, and one whose stack unwinds.
TEST_P(lent_stacks, do_not_see_exceptions_below) {
  struct joins_late {
    ult::thread<> t;
    ~joins_late() { t.join(); }
  };
  const auto sees_none = [] {
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    EXPECT_EQ(std::current_exception(), nullptr);
    try {
      throw 1;
    } catch (int) {
      ult::this_thread::yield();
    }
  };
  in_a_thread([&] {
    for (int i = 0; i < kTries; ++i) {
      try {
        const joins_late late{ult::spawn(sees_none)};
        throw std::to_string(i);
      } catch (const std::string& what) {
        ult::spawn(sees_none).join();
        EXPECT_NE(std::current_exception(), nullptr);
        EXPECT_EQ(what, std::to_string(i));
      }
    }
  });
}

TEST_P(lent_stacks, may_be_joined_by_several) {
  in_a_thread([] {
    for (int i = 0; i < kTries; ++i) {
      ult::semaphore go_on{0};
      auto above = ult::spawn([&] {
        go_on.acquire();
        return i;
      });
      auto joiner = ult::spawn([&] { return above.join(); });
      auto releases = ult::spawn([&] { go_on.release(); });
      EXPECT_EQ(above.join(), i);
      EXPECT_EQ(joiner.join(), i);
      releases.join();
    }
  });
}

// A thread cancelled while it lends its stack hears of it where it waits next; the other does not.
TEST_P(lent_stacks, do_not_mix_cancellations_up) {
  for (int i = 0; i < kTries; ++i) {
    ult::semaphore runs{0}, go_on{0};
    bool above_ended = false, below_cancelled = false;
    auto below = ult::spawn([&] {
      ult::spawn([&] {
        runs.release();
        go_on.acquire();
        above_ended = true;
      }).join();
      try {
        ult::this_thread::check_cancelled();
      } catch (const ult::cancelled&) {
        below_cancelled = true;
      }
    });
    runs.acquire();
    below.cancel();
    go_on.release();
    below.join();
    EXPECT_TRUE(above_ended);
    EXPECT_TRUE(below_cancelled);
  }
}

TEST_P(lent_stacks, end_cancelled_threads) {
  in_a_thread([] {
    for (int i = 0; i < kTries; ++i) {
      ult::semaphore never{0};
      auto above = ult::spawn([&] { never.acquire(); });
      auto cancels = ult::spawn([&] { above.cancel(); });
      EXPECT_THROW(above.join(), ult::cancelled);
      cancels.join();
    }
  });
}

// A thread that goes to another worker takes those below it along; all can still be joined.
TEST_P(lent_stacks, move_with_the_thread) {
  const unsigned last = GetParam() - 1;
  for (int i = 0; i < kTries; ++i) {
    auto below = ult::spawn([last] {
      auto above = ult::spawn([last] {
        ult::this_thread::bind(last);
        EXPECT_EQ(ult::this_thread::worker(), last);
        ult::this_thread::yield();
        return ult::this_thread::worker();
      });
      EXPECT_EQ(above.join(), last);
      ult::this_thread::yield();
      return 7;
    });
    auto joiner = ult::spawn([&] { return below.join(); });
    EXPECT_EQ(below.join(), 7);
    EXPECT_EQ(joiner.join(), 7);
  }
}

// A thread that has to stay at its worker is there again, wherever the other went.
TEST_P(lent_stacks, of_threads_that_stay_come_back) {
  const unsigned last = GetParam() - 1;
  const auto goes_away = [last] {
    ult::spawn([last] { ult::this_thread::bind(last); }).join();
    EXPECT_EQ(ult::this_thread::worker(), 0u);
  };
  for (int i = 0; i < kTries; ++i) {
    ult::spawn({.worker = 0}, [&] {
      goes_away();
      ult::task_group g;
      g.run([] {});
      goes_away();
      g.wait();
    }).join();
    goes_away();  // thread 1
  }
}

// So does an unbound one that has tasks under way, though other workers have nothing to do.
TEST_P(lent_stacks, of_threads_with_tasks_come_back) {
  const unsigned last = GetParam() - 1;
  for (int i = 0; i < kTries; ++i) {
    std::vector<ult::thread<>> owners;
    for (int k = 0; k < 8; ++k)
      owners.push_back(ult::spawn([last] {
        ult::task_group g;
        const unsigned before = ult::this_thread::worker();
        ult::spawn([last] { ult::this_thread::bind(last); }).join();
        EXPECT_EQ(ult::this_thread::worker(), before);
        bool ran = false;
        g.run([&ran] { ran = true; });
        g.wait();
        EXPECT_TRUE(ran);
      }));
    for (auto& o : owners) o.join();
  }
}

// An unbound thread lends to a bound one, and a thread with tasks to one that adds to them.
TEST_P(lent_stacks, of_groups_count_tasks_where_they_end) {
  const unsigned last = GetParam() - 1;
  for (int i = 0; i < kTries; ++i) {
    std::atomic<int> ran{0};
    ult::task_group g;
    ult::spawn([&] {
      for (int k = 0; k < 10; ++k) g.run([&] { ++ran; });
      ult::this_thread::bind(last);
      for (int k = 0; k < 10; ++k) g.run([&] { ++ran; });
    }).join();
    g.wait();
    EXPECT_EQ(ran, 20);
  }
}

}  // namespace
