// SPDX-License-Identifier: Apache-2.0
#include "frontend/block_list.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace frontend {
namespace {

TEST(BlockList, KeepsObjectsInPlaceAndInOrder) {
  for (int count = 0; count < 100; ++count) {
    block_list<int, 2> made;
    std::vector<int*> places;
    for (int i = 0; i < count; ++i) places.push_back(&made.emplace_back(i));
    EXPECT_EQ(made.size(), static_cast<std::size_t>(count));
    int next = 0;
    for (int& each : made) {
      ASSERT_LT(next, count);
      EXPECT_EQ(&each, places[static_cast<std::size_t>(next)]);
      EXPECT_EQ(each, next++);
    }
    EXPECT_EQ(next, count);
  }
}

// Lists that take from an arena one after the other, and grow when that is over.
TEST(BlockList, TakesFromAnArena) {
  arena memory;
  std::vector<block_list<int, 4>> lists(100);
  std::vector<std::vector<int*>> places(lists.size());
  const auto add = [&](std::size_t list, std::size_t count) {
    for (; count != 0; --count)
      places[list].push_back(&lists[list].emplace_back(static_cast<int>(places[list].size())));
  };
  for (std::size_t i = 0; i < lists.size(); ++i) {
    lists[i].take_from(memory);
    add(i, i);
    lists[i].release();
    // What the last block did not need is there for the next list.
    if (i != 0) {
      EXPECT_EQ(memory.take(0, alignof(int)), places[i].back() + 1);
    }
  }
  for (std::size_t i = 0; i < lists.size(); i += 2) add(i, 7);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    EXPECT_EQ(lists[i].size(), places[i].size());
    std::size_t next = 0;
    for (int& each : lists[i]) {
      ASSERT_LT(next, places[i].size());
      EXPECT_EQ(&each, places[i][next]);
      EXPECT_EQ(each, static_cast<int>(next++));
    }
    EXPECT_EQ(next, places[i].size());
  }
}

TEST(BlockList, EndsItsObjects) {
  const auto counted = std::make_shared<int>(0);
  {
    block_list<std::shared_ptr<int>, 4> made;
    for (int i = 0; i < 30; ++i) made.emplace_back(counted);
    EXPECT_EQ(counted.use_count(), 31);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

}  // namespace
}  // namespace frontend
