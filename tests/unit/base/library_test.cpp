// SPDX-License-Identifier: Apache-2.0
// Libraries loaded on first use: what is found is called, what is missing is named.
#include "base/library.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace {

using ramjet::base::library;
using testing::HasSubstr;

constexpr const char* kMath = "libm.so.6";

TEST(Library, finds_and_calls_a_function) {
  library math;
  std::string message;
  ASSERT_TRUE(math.open(kMath, "libc6", message)) << message;
  double (*cube_root)(double) = nullptr;
  ASSERT_TRUE(math.find("cbrt", cube_root, message)) << message;
  EXPECT_DOUBLE_EQ(cube_root(27.0), 3.0);
}

TEST(Library, names_the_package_of_a_missing_library) {
  library none;
  std::string message;
  EXPECT_FALSE(none.open("libramjet-no-such.so.9", "libno-such9", message));
  EXPECT_FALSE(none.is_open());
  EXPECT_THAT(message, HasSubstr("libramjet-no-such.so.9"));
  EXPECT_THAT(message, HasSubstr("install the package libno-such9"));
}

TEST(Library, names_a_missing_function) {
  library math;
  std::string message;
  ASSERT_TRUE(math.open(kMath, "libc6", message)) << message;
  void (*absent)() = nullptr;
  EXPECT_FALSE(math.find("ramjet_no_such_function", absent, message));
  EXPECT_EQ(absent, nullptr);
  EXPECT_THAT(message, HasSubstr("ramjet_no_such_function"));
}

TEST(Library, is_moved) {
  library first, second;
  std::string message;
  ASSERT_TRUE(first.open(kMath, "libc6", message)) << message;
  second = std::move(first);
  EXPECT_TRUE(second.is_open());
  library third(std::move(second));
  void (*absent)() = nullptr;
  EXPECT_FALSE(second.find("cbrt", absent, message));
  EXPECT_THAT(message, HasSubstr("not loaded"));
  EXPECT_TRUE(third.is_open());
}

}  // namespace
