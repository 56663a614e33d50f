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
