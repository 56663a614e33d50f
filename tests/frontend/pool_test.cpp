// SPDX-License-Identifier: Apache-2.0
#include "frontend/pool.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace frontend {
namespace {

struct object {
  int number = -1;
  std::vector<int> list;

  void clear() {
    number = -1;
    list.clear();
  }
};

std::vector<int> numbers(const pool<object>& all) {
  std::vector<int> found;
  for (const object& o : all) found.push_back(o.number);
  return found;
}

TEST(Pool, ObjectsStayWhereTheyAre) {
  pool<object> all;
  object* const first = &all.add();
  for (int i = 0; i < 100; ++i) all.add().number = i;
  first->number = 7;
  EXPECT_EQ(first, &all[0]);
  EXPECT_EQ(all.size(), 101u);
  EXPECT_EQ(numbers(all).front(), 7);
  EXPECT_EQ(numbers(all).back(), 99);
}

TEST(Pool, ObjectsAreUsedAgainAsTheyWereAtFirst) {
  pool<object> all;
  object* const first = &all.add();
  first->number = 1;
  first->list.assign(100, 0);
  all.clear();
  EXPECT_THAT(numbers(all), testing::IsEmpty());
  EXPECT_EQ(&all.add(), first);
  EXPECT_EQ(first->number, -1);
  EXPECT_TRUE(first->list.empty());
  EXPECT_GE(first->list.capacity(), 100u);
}

}  // namespace
}  // namespace frontend
