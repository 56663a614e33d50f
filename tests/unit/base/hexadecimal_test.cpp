// SPDX-License-Identifier: Apache-2.0
// Bytes as hexadecimal digits, there and back.
#include "base/hexadecimal.hpp"

#include <gtest/gtest.h>

namespace {

using ramjet::base::from_hexadecimal;
using ramjet::base::hexadecimal;

TEST(hexadecimal, every_byte_comes_back) {
  std::string all, back;
  for (int byte = 0; byte < 256; ++byte) all += char(byte);
  const std::string text = hexadecimal(all.data(), all.size());
  EXPECT_EQ(text.substr(0, 6), "000102");
  EXPECT_EQ(text.substr(506), "fdfeff");
  EXPECT_TRUE(from_hexadecimal(text, back));
  EXPECT_EQ(back, all);
  EXPECT_EQ(hexadecimal(nullptr, 0), "");
  EXPECT_TRUE(from_hexadecimal("", back));
  EXPECT_EQ(back, "");
}

TEST(hexadecimal, other_texts_are_refused) {
  std::string bytes;
  for (const char* text : {"0", "abc", "0g", "g0", "AB", "0x", " 0", "-1"})
    EXPECT_FALSE(from_hexadecimal(text, bytes)) << text;
}

}  // namespace
