// SPDX-License-Identifier: Apache-2.0
// What is called later: small things stand inside, others are allocated, copied and dropped once.
#include "ramjet/detail/base/callback.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

using ramjet::detail::callback;

namespace {

void add_two(int& sum) { sum += 2; }

// Counts its living copies.
struct counted {
  explicit counted(int& count) : living(&count) { ++*living; }
  counted(const counted& other) : living(other.living) { ++*living; }
  ~counted() { --*living; }
  int* living;
};

}  // namespace

TEST(Callback, IsEmptyUntilItHasWhatToCall) {
  callback<int&> none;
  EXPECT_FALSE(none);
  EXPECT_FALSE(callback<int&>(nullptr));
  EXPECT_FALSE(callback<int&>(static_cast<void (*)(int&)>(nullptr)));
  none = [](int& sum) { ++sum; };
  EXPECT_TRUE(none);
  none = nullptr;
  EXPECT_FALSE(none);
}

TEST(Callback, CallsFunctionsAndClosuresOfAnySize) {
  int sum = 0;
  const callback<int&> function = add_two;
  function(sum);
  EXPECT_EQ(sum, 2);
  const callback<int&> small = [n = 3](int& to) { return to += n; };
  small(sum);
  EXPECT_EQ(sum, 5);
  std::array<int, 20> many{};
  many.back() = 4;
  const callback<int&> large = [many](int& to) { to += many.back(); };
  large(sum);
  EXPECT_EQ(sum, 9);
}

TEST(Callback, ACopyHasStateOfItsOwn) {
  int sum = 0;
  for (const bool is_large : {false, true}) {
    const std::array<int, 20> ballast{};
    callback<int&> first = [n = 0](int& to) mutable { to = ++n; };
    if (is_large) first = [n = 0, ballast](int& to) mutable { to = ++n + ballast[0]; };
    first(sum);
    callback<int&> second = first;
    first(sum);
    EXPECT_EQ(sum, 2) << is_large;
    second(sum);
    EXPECT_EQ(sum, 2) << is_large;
    second = first;
    second(sum);
    EXPECT_EQ(sum, 3) << is_large;
  }
}

TEST(Callback, DropsWhatItHoldsOnce) {
  int living = 0;
  {
    callback<> first = [c = counted(living)] { static_cast<void>(c); };
    EXPECT_EQ(living, 1);
    callback<> second = first;
    EXPECT_EQ(living, 2);
    callback<> third = std::move(first);
    EXPECT_EQ(living, 2);
    EXPECT_FALSE(first);
    second = std::move(third);
    EXPECT_EQ(living, 1);
    const callback<>& itself = second;
    second = itself;
    EXPECT_EQ(living, 1);
    second();
  }
  EXPECT_EQ(living, 0);
}

TEST(Callback, TakesWhatCanOnlyMoveAsAnArgument) {
  int got = 0;
  const callback<std::unique_ptr<int>> take = [&got](std::unique_ptr<int> p) { got = *p; };
  take(std::make_unique<int>(7));
  EXPECT_EQ(got, 7);
}
