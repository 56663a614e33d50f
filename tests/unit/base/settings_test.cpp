// SPDX-License-Identifier: Apache-2.0
// Settings from the environment: numbers with suffixes, fallbacks, and what a bad value is told.
#include "base/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace {

using ramjet::base::describe_settings;
using ramjet::base::read_settings;
using ramjet::base::settings;
using testing::HasSubstr;

class from_environment : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& s : describe_settings()) ::unsetenv(s.name);
  }
  void TearDown() override { SetUp(); }

  settings read() {
    settings s{};
    std::string problem;
    EXPECT_TRUE(read_settings(s, problem)) << problem;
    return s;
  }
  std::string refusal(const char* name, const char* value) {
    ::setenv(name, value, 1);
    settings s{};
    std::string problem;
    EXPECT_FALSE(read_settings(s, problem)) << name << "=" << value;
    ::unsetenv(name);
    EXPECT_THAT(problem, HasSubstr(name));
    EXPECT_THAT(problem, HasSubstr(value));
    return problem;
  }
};

TEST_F(from_environment, fallbacks) {
  const settings s = read();
  EXPECT_EQ(s.channel, "shm");
  EXPECT_EQ(s.chain_limit_bytes, std::uint64_t{1} << 30);
  EXPECT_EQ(s.segment_bytes, 0u);
  EXPECT_FALSE(s.carry_on);
  ::setenv("RAMJET_CHAIN_LIMIT", "", 1);  // empty is absent
  EXPECT_EQ(read().chain_limit_bytes, std::uint64_t{1} << 30);
}

TEST_F(from_environment, what_a_failure_means) {
  ::setenv("RAMJET_ON_FAILURE", "continue", 1);
  EXPECT_TRUE(read().carry_on);
  ::setenv("RAMJET_ON_FAILURE", "abort", 1);
  EXPECT_FALSE(read().carry_on);
  EXPECT_THAT(refusal("RAMJET_ON_FAILURE", "go on"), HasSubstr("abort or continue"));
}

TEST_F(from_environment, when_a_standstill_is_explained) {
  EXPECT_EQ(read().explain_after_ms, 0u);
  ::setenv("RAMJET_EXPLAIN_AFTER", "2.5", 1);
  EXPECT_EQ(read().explain_after_ms, 2500u);
  for (const char* text : {"soon", "-1", "1e7", "5 s"}) refusal("RAMJET_EXPLAIN_AFTER", text);
}

TEST_F(from_environment, sizes_with_suffixes) {
  const std::pair<const char*, std::uint64_t> cases[] = {{"0", 0},
                                                         {"4095", 4095},
                                                         {"64K", 64 << 10},
                                                         {"3M", 3 << 20},
                                                         {"2G", 2ull << 30},
                                                         {"5T", 5ull << 40},
                                                         {"16383T", 16383ull << 40},
                                                         {"18446744073709551615", ~0ull}};
  for (const auto& [text, bytes] : cases) {
    ::setenv("RAMJET_SEGMENT_BYTES", text, 1);
    EXPECT_EQ(read().segment_bytes, bytes) << text;
  }
}

TEST_F(from_environment, bad_sizes) {
  for (const char* text : {"x", "-1", "1.5G", "12Q", "1k", "1GB", " 1", "1 ", "16777216T",
                           "18446744073709551616", "0x10", "K"})
    refusal("RAMJET_CHAIN_LIMIT", text);
}

TEST_F(from_environment, the_channel_is_handed_on_as_it_is) {
  ::setenv("RAMJET_CHANNEL", "faulty:42", 1);
  EXPECT_EQ(read().channel, "faulty:42");
}

TEST_F(from_environment, switches) {
  EXPECT_FALSE(read().all_far);
  ::setenv("RAMJET_FAR", "1", 1);
  EXPECT_TRUE(read().all_far);
  ::setenv("RAMJET_FAR", "0", 1);
  EXPECT_FALSE(read().all_far);
  for (const char* text : {"2", "yes", "01"}) refusal("RAMJET_FAR", text);
  EXPECT_FALSE(read().by_handlers);
  ::setenv("RAMJET_ACCESS", "handlers", 1);
  EXPECT_TRUE(read().by_handlers);
  ::setenv("RAMJET_ACCESS", "channel", 1);
  EXPECT_FALSE(read().by_handlers);
  refusal("RAMJET_ACCESS", "messages");
}

TEST_F(from_environment, every_row_says_what_it_is) {
  for (const auto& s : describe_settings()) {
    EXPECT_EQ(std::strncmp(s.name, "RAMJET_", 7), 0);
    EXPECT_GT(std::strlen(s.meaning), 10u) << s.name;
    ASSERT_NE(s.fallback, nullptr);
  }
}

}  // namespace
