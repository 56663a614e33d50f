// SPDX-License-Identifier: Apache-2.0
#include "frontend/small_vector.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace frontend {
namespace {

using two = small_vector<int, 2>;

std::vector<int> items(const two& of) { return {of.begin(), of.end()}; }

TEST(SmallVector, GrowsOutOfItself) {
  two v;
  EXPECT_TRUE(v.empty());
  for (int i = 0; i < 9; ++i) {
    v.push_back(i);
    EXPECT_EQ(v.size(), static_cast<std::size_t>(i + 1));
    EXPECT_EQ(v.back(), i);
  }
  EXPECT_EQ(items(v), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  v.clear();
  EXPECT_TRUE(v.empty());
}

TEST(SmallVector, IsCopiedAndMoved) {
  for (const two& made : {two{}, two{1}, two{1, 2}, two{1, 2, 3, 4, 5}}) {
    two copied = made;
    EXPECT_EQ(copied, made);
    two moved = std::move(copied);
    EXPECT_EQ(moved, made);
    two other = {7, 8, 9};
    other = moved;
    EXPECT_EQ(other, made);
    two last = {7, 8, 9};
    last = std::move(other);
    EXPECT_EQ(last, made);
    last.push_back(6);
    EXPECT_NE(last, made);
    EXPECT_EQ(moved, made);
  }
}

TEST(SmallVector, AddsAndErases) {
  two v = {2};
  v.insert_first(1);
  v.insert_first(0);
  v.append({3, 1});
  EXPECT_EQ(items(v), (std::vector<int>{0, 1, 2, 3, 1}));
  EXPECT_TRUE(v.contains(3));
  v.erase(1);
  EXPECT_EQ(items(v), (std::vector<int>{0, 2, 3}));
  EXPECT_FALSE(v.contains(1));
  v.resize(5);
  EXPECT_EQ(items(v), (std::vector<int>{0, 2, 3, 0, 0}));
}

}  // namespace
}  // namespace frontend
