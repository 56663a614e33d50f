// SPDX-License-Identifier: Apache-2.0
// How reports write numbers: large ones whole, like the counts beside them.
#include <gtest/gtest.h>

#include "tools/pages/document.hpp"

namespace {

TEST(Number, LargeOnesAreWhole) {
  EXPECT_EQ(pages::number(4597665), "4597665");
  EXPECT_EQ(pages::number(18012345), "18012345");
  EXPECT_EQ(pages::number(18012345.25), "18012345");
  EXPECT_EQ(pages::number(-20e9), "-20000000000");
}

TEST(Number, OthersHaveThreeDigits) {
  EXPECT_EQ(pages::number(0), "0");
  EXPECT_EQ(pages::number(0.12345), "0.12");
  EXPECT_EQ(pages::number(1.2345), "1.23");
  EXPECT_EQ(pages::number(12.345), "12.3");
  EXPECT_EQ(pages::number(123.45), "123");
}

}  // namespace
