// SPDX-License-Identifier: Apache-2.0
#include "frontend/chain.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

namespace frontend {
namespace {

TEST(Chain, ObjectsStayWhereTheyAreInTheirOrder) {
  chain<int> all;
  EXPECT_EQ(all.begin(), all.end());
  std::vector<int*> made;
  for (int i = 0; i < 10; ++i) {
    made.push_back(&all.add());
    *made.back() = i;
  }
  EXPECT_EQ(all.size(), 10u);
  std::vector<int*> found;
  for (int& i : all) found.push_back(&i);
  EXPECT_EQ(found, made);
  int next = 0;
  for (const int& i : std::as_const(all)) EXPECT_EQ(i, next++);
  EXPECT_EQ(next, 10);
}

TEST(Chain, GivesObjectsToAnotherOneAndEndsThem) {
  const auto counted = std::make_shared<int>(1);
  {
    chain<std::shared_ptr<int>> from;
    from.add() = counted;
    from.add() = counted;
    const chain<std::shared_ptr<int>> to = std::move(from);
    EXPECT_EQ(to.size(), 2u);
    EXPECT_EQ(counted.use_count(), 3);
  }
  EXPECT_EQ(counted.use_count(), 1);
}

}  // namespace
}  // namespace frontend
