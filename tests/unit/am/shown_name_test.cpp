// SPDX-License-Identifier: Apache-2.0
#include "am/shown_name.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ramjet::detail {
namespace {

std::string shown(const std::string& name) {
  const auto words = shown_name(name.c_str());
  char text[sizeof words];
  std::memcpy(text, words.data(), sizeof text);
  EXPECT_EQ(text[sizeof text - 1], '\0') << name;
  return text;
}

TEST(shown_name, stands_whole_up_to_31_characters) {
  EXPECT_EQ(shown(""), "");
  EXPECT_EQ(shown("request_medium (lane is full)"), "request_medium (lane is full)");
  EXPECT_EQ(shown(std::string(31, 'n')), std::string(31, 'n'));
}

TEST(shown_name, says_that_it_is_cut) {
  EXPECT_EQ(shown(std::string(32, 'n')), std::string(28, 'n') + "...");
  EXPECT_EQ(shown(std::string(200, 'n')), std::string(28, 'n') + "...");
}

}  // namespace
}  // namespace ramjet::detail
