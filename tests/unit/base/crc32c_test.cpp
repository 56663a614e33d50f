// SPDX-License-Identifier: Apache-2.0
#include "base/crc32c.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

using ramjet::base::copy_with_crc32c;
using ramjet::base::crc32c;
using ramjet::base::crc32c_by_tables;

// RFC 3720, B.4.
TEST(Crc32c, HasTheStandardsValues) {
  const std::vector<unsigned char> zeros(32, 0), ones(32, 0xff);
  for (const auto sum : {crc32c, crc32c_by_tables}) {
    EXPECT_EQ(sum(0, "123456789", 9), 0xe3069283u);
    EXPECT_EQ(sum(0, zeros.data(), zeros.size()), 0x8a9136aau);
    EXPECT_EQ(sum(0, ones.data(), ones.size()), 0x62a8ab43u);
    EXPECT_EQ(sum(0, nullptr, 0), 0u);
  }
}

// By the instruction, three runs at once, and by tables; in one piece and in two.
TEST(Crc32c, IsTheSameByBothWaysAndInPieces) {
  std::mt19937_64 random(1);
  std::vector<unsigned char> bytes(20'000);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(random());
  for (int i = 0; i < 2000; ++i) {
    const std::size_t begin = random() % 64, count = random() % (bytes.size() - begin);
    const std::uint32_t before = std::uint32_t(random());
    const unsigned char* const at = bytes.data() + begin;
    const std::uint32_t whole = crc32c_by_tables(before, at, count);
    ASSERT_EQ(crc32c(before, at, count), whole) << begin << ", " << count;
    std::vector<unsigned char> copy(count + 1, 7);
    ASSERT_EQ(copy_with_crc32c(before, copy.data(), at, count), whole) << begin << ", " << count;
    ASSERT_TRUE(std::equal(at, at + count, copy.begin()) && copy[count] == 7);
    const std::size_t first = count == 0 ? 0 : random() % count;
    ASSERT_EQ(crc32c(crc32c(before, at, first), at + first, count - first), whole)
        << begin << ", " << count << ", " << first;
  }
}

}  // namespace
