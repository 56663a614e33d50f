// SPDX-License-Identifier: Apache-2.0
// Exceptions stay with their thread, also while it yields in the middle of one and goes on at
// another worker.
#include <stdexcept>
#include <vector>

#include "workers.hpp"

namespace {

class thrown : public with_workers {};
RAMJET_WITH_WORKERS(thrown);

TEST_P(thrown, come_out_of_join) {
  auto t = ult::spawn([]() -> int { throw std::runtime_error("gone"); });
  for (int i = 0; i < 2; ++i) {
    try {
      t.join();
      FAIL();
    } catch (const std::runtime_error& e) {
      EXPECT_STREQ(e.what(), "gone");
    }
  }
  auto nobody_asks = ult::spawn([] { throw 1; });
}

// Moves to another worker if there is one.
void move(unsigned n) {
  ult::this_thread::bind(n % ult::workers());
  ult::this_thread::unbind();
}

// Each thread blocks while it handles its own exception, and rethrows it afterwards.
TEST_P(thrown, are_handled_while_others_handle_theirs) {
  std::vector<ult::thread<bool>> all;
  for (unsigned i = 0; i < 50; ++i)
    all.push_back(ult::spawn([i] {
      for (unsigned n = 0; n < 10; ++n) {
        try {
          try {
            throw int(100 * i + n);
          } catch (int outer) {
            ult::this_thread::yield();
            try {
              throw std::to_string(outer);
            } catch (const std::string& inner) {
              move(i + n);
              if (inner != std::to_string(outer)) return false;
            }
            ult::this_thread::yield();
            if (std::uncaught_exceptions() != 0 || !std::current_exception()) return false;
            throw;
          }
        } catch (int again) {
          if (again != int(100 * i + n)) return false;
        }
        if (std::current_exception()) return false;
      }
      return true;
    }));
  for (auto& t : all) EXPECT_TRUE(t.join());
}

struct gives_way {
  unsigned n;
  bool& right;
  ~gives_way() {
    ult::this_thread::yield();
    move(n);
    try {
      throw 'x';  // and catches it in the middle of another one
    } catch (char) {
      ult::this_thread::yield();
    }
    right = std::uncaught_exceptions() == 1;
  }
};

TEST_P(thrown, unwind_through_destructors_that_yield) {
  std::vector<ult::thread<bool>> all;
  for (unsigned i = 0; i < 50; ++i)
    all.push_back(ult::spawn([i] {
      bool right = false;
      try {
        const gives_way one{i, right};
        throw i;
      } catch (unsigned what) {
        return right && what == i && std::uncaught_exceptions() == 0;
      }
    }));
  for (auto& t : all) EXPECT_TRUE(t.join());
}

// Those of a thread that waits for tasks, while it handles one and while its stack unwinds.
TEST_P(thrown, are_not_seen_by_tasks) {
  struct waits_for_tasks {
    ~waits_for_tasks() {
      ult::task_group g;
      for (int i = 0; i < 3; ++i)
        g.run([] {
          EXPECT_EQ(std::uncaught_exceptions(), 0);
          EXPECT_EQ(std::current_exception(), nullptr);
        });
    }
  };
  try {
    const waits_for_tasks unwound;
    throw 1;
  } catch (int) {
    const waits_for_tasks handling;
  }
}

// A thread that begins, a task that runs and a join that throws inside a handler of their own.
TEST_P(thrown, do_not_reach_threads_that_start_meanwhile) {
  bool clean = false;
  try {
    throw 1;
  } catch (int) {
    auto t = ult::spawn({.worker = 0}, [] { return !std::current_exception(); });
    clean = t.join();
    ult::task_group g;
    for (int i = 0; i < 4; ++i)
      g.run([] {
        try {
          throw 2.0;
        } catch (double) {
          ult::this_thread::yield();
        }
      });
    g.wait();
    auto failing = ult::spawn([] { throw 3l; });
    EXPECT_THROW(failing.join(), long);
    EXPECT_TRUE(std::current_exception());
    try {
      throw;
    } catch (int what) {
      EXPECT_EQ(what, 1);
    }
  }
  EXPECT_TRUE(clean);
  EXPECT_FALSE(std::current_exception());
}

}  // namespace
