// SPDX-License-Identifier: Apache-2.0
// The wait lists of a worker hold what was posted, and audit() sees when they do not.
#include "ult/wait_lists.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

#include "ramjet/ult.hpp"
#include "ult/parts.hpp"

namespace {

namespace ult = ramjet::ult;
using ult::detail::audit_wait_lists;
using ult::detail::this_worker;
using ult::detail::wait_list;
using ult::detail::worker_parts;

// Threads that wait for several kinds of conditions.
class wait_lists : public testing::Test {
 protected:
  static constexpr int kThreads = 5;

  void SetUp() override {
    ult::start();
    for (int i = 0; i < kThreads; ++i)
      threads.push_back(ult::spawn([this] {
        ult::wait_any(ult::value(go) == 1, ult::value(other) > 5,
                      ult::after(std::chrono::hours(1)));
      }));
    while (parts().posted != 3 * kThreads) ult::this_thread::yield();
  }
  void TearDown() override {
    go = 1;
    threads.clear();
    EXPECT_EQ(parts().posted, 0u);
    audit_wait_lists(this_worker());
    ult::stop();
  }

  static worker_parts& parts() { return *this_worker()->parts; }
  static wait_list& longest() {
    wait_list* longest = &parts().wait_lists[0];
    for (wait_list& s : parts().wait_lists)
      if (s.count > longest->count) longest = &s;
    return *longest;
  }

  std::atomic<int> go{0}, other{0};
  std::vector<ult::thread<>> threads;
};

TEST_F(wait_lists, hold_what_was_posted) { audit_wait_lists(this_worker()); }

TEST_F(wait_lists, with_a_wrong_count_are_found) {
  EXPECT_DEATH(
      {
        ++parts().posted;
        audit_wait_lists(this_worker());
      },
      "the counts of posted conditions");
}

TEST_F(wait_lists, with_an_entry_that_was_moved_are_found) {
  EXPECT_DEATH(
      {
        std::swap(longest().entries[0], longest().entries[1]);
        audit_wait_lists(this_worker());
      },
      "a posted condition's place points to it");
}

TEST_F(wait_lists, with_an_entry_of_a_group_that_has_ended_are_found) {
  EXPECT_DEATH(
      {
        longest().entries[0].at->group->count = 0;
        audit_wait_lists(this_worker());
      },
      "a posted condition's place is one of its group's");
}

}  // namespace
