// SPDX-License-Identifier: Apache-2.0
// Pointers and arrays that own: what they refer to ends with the only, or the last, owner.
#include "ramjet/detail/base/owned.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace {

int living = 0;

struct thing {
  thing() { ++living; }
  thing(const thing&) = delete;
  thing& operator=(const thing&) = delete;
  ~thing() { --living; }
  int handles = 0;
};

void retain(thing* t) noexcept { ++t->handles; }
void release(thing* t) noexcept {
  if (--t->handles == 0) delete t;
}

using ramjet::detail::owned;
using ramjet::detail::owned_array;
using ramjet::detail::shared;

}  // namespace

TEST(Owned, EndsWithItsOwner) {
  {
    owned<thing> first(new thing);
    owned<thing> second = std::move(first);
    EXPECT_FALSE(first);
    EXPECT_TRUE(second);
    EXPECT_EQ(living, 1);
    second = owned<thing>(new thing);
    EXPECT_EQ(living, 1);
    second = {};
    EXPECT_EQ(living, 0);
    const owned<thing[]> three(new thing[3]);
    three[2].handles = 5;
    EXPECT_EQ(three.get()[2].handles, 5);
    EXPECT_EQ(living, 3);
  }
  EXPECT_EQ(living, 0);
}

TEST(OwnedArray, HasTheElementsItWasMadeWith) {
  const owned_array<int> none;
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.begin(), none.end());
  const owned_array<int> zeros(3);
  EXPECT_EQ(zeros.size(), 3u);
  for (const int each : zeros) EXPECT_EQ(each, 0);

  owned_array<int> values{4, 5, 6};
  owned_array<int> copy = values;
  copy[1] = 7;
  EXPECT_EQ(values[1], 5);
  owned_array<int>& itself = copy;
  copy = itself;
  EXPECT_EQ(copy.size(), 3u);
  EXPECT_EQ(copy[1], 7);

  const owned_array<int> moved = std::move(values);
  EXPECT_EQ(moved.size(), 3u);
  EXPECT_EQ(moved[2], 6);
  EXPECT_TRUE(values.empty());
}

TEST(OwnedArray, EndsWithItsOwner) {
  owned_array<thing> things(4);
  EXPECT_EQ(living, 4);
  things = owned_array<thing>(2);
  EXPECT_EQ(living, 2);
  things = {};
  EXPECT_EQ(living, 0);
}

TEST(Shared, EndsWithTheLastOwner) {
  {
    shared<thing> first(new thing);
    shared<thing> second = first;
    EXPECT_EQ(first, second);
    EXPECT_EQ(first->handles, 2);
    const shared<thing> third = std::move(first);
    EXPECT_FALSE(first);
    EXPECT_EQ(second->handles, 2);
    const shared<thing>& itself = second;
    second = itself;
    EXPECT_EQ(third->handles, 2);
    second = shared(new thing);
    EXPECT_NE(second, third);
    EXPECT_EQ(living, 2);
  }
  EXPECT_EQ(living, 0);
}
