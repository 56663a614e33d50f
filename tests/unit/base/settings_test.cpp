// SPDX-License-Identifier: Apache-2.0
// Settings from the environment: numbers with suffixes, fallbacks, and what a bad value is told.
#include "base/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

using ramjet::base::all_settings;
using ramjet::base::kThreadSettings;
using ramjet::base::misspelt_settings;
using ramjet::base::process_settings;
using ramjet::base::read_settings;
using ramjet::base::settings;
using testing::HasSubstr;

class from_environment : public testing::Test {
 protected:
  void SetUp() override {
    for (const auto& s : all_settings()) ::unsetenv(s.name);
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

TEST_F(from_environment, limits) {
  ::setenv("RAMJET_ULT_WORKERS", "256", 1);
  EXPECT_EQ(read().ult_workers, 256u);
  for (const char* text : {"257", "1000000", "4294967297"}) refusal("RAMJET_ULT_WORKERS", text);
  refusal("RAMJET_TRACE_BYTES", "10000T");
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

TEST_F(from_environment, networks_are_listed_best_first) {
  EXPECT_THAT(read().networks, testing::ElementsAre("tcp"));
  ::setenv("RAMJET_NETWORK", "ofi,tcp", 1);
  EXPECT_THAT(read().networks, testing::ElementsAre("ofi", "tcp"));
  for (const char* list : {"udp", "tcp,", ",tcp", "tcp,tcp", "tcp, ofi", "TCP"})
    EXPECT_THAT(refusal("RAMJET_NETWORK", list), HasSubstr("tcp, ofi"));
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

TEST_F(from_environment, threads_settings_stand_beside_others) {
  EXPECT_EQ(read().ult_workers, std::nullopt);
  ::setenv("RAMJET_ULT_WORKERS", "3", 1);
  ::setenv("RAMJET_ULT_SHUFFLE", "0", 1);
  EXPECT_EQ(read().ult_workers, 3u);
  EXPECT_EQ(read().ult_shuffle, 0u);
  for (const char* text : {"some", "-1", "3x", "1.5"}) refusal("RAMJET_ULT_SHUFFLE", text);
  // A program without a job reads its own, whatever the others are.
  ::setenv("RAMJET_FAR", "maybe", 1);
  settings own{};
  std::string problem;
  EXPECT_TRUE(read_settings(own, problem, kThreadSettings)) << problem;
  EXPECT_EQ(own.ult_workers, 3u);
  ::setenv("RAMJET_ULT_WORKERS", "many", 1);
  EXPECT_FALSE(read_settings(own, problem, kThreadSettings));
  EXPECT_EQ(problem, "RAMJET_ULT_WORKERS is \"many\"; it takes a whole number up to 256");
}

TEST_F(from_environment, every_row_says_what_it_is) {
  for (const auto& s : all_settings()) {
    EXPECT_EQ(std::strncmp(s.name, "RAMJET_", 7), 0);
    EXPECT_GT(std::strlen(s.meaning), 10u) << s.name;
    EXPECT_GT(std::strlen(s.takes), 5u) << s.name;
    ASSERT_NE(s.fallback, nullptr);
  }
}

// Bad fallbacks would refuse every job.
TEST_F(from_environment, every_fallback_is_a_value) {
  for (const auto& s : all_settings()) {
    settings into{};
    EXPECT_TRUE(s.read(s.fallback, into)) << s.name;
  }
}

TEST_F(from_environment, is_read_once) {
  std::string problem;
  ::setenv("RAMJET_FAR", "maybe", 1);
  EXPECT_EQ(process_settings(problem), nullptr);  // that one does not count
  EXPECT_THAT(problem, HasSubstr("RAMJET_FAR"));
  ::setenv("RAMJET_FAR", "1", 1);
  ASSERT_NE(process_settings(problem), nullptr);
  EXPECT_TRUE(process_settings(problem)->all_far);
  ::setenv("RAMJET_FAR", "0", 1);
  EXPECT_TRUE(process_settings(problem)->all_far);
}

std::vector<std::string> misspelt(const char* variable) {
  const char* const environment[] = {"PATH=/bin", variable, nullptr};
  return misspelt_settings(environment);
}

TEST(settings, that_are_misspelt_are_named_with_what_is_meant) {
  const std::pair<const char*, const char*> cases[] = {
      {"RAMJET_SEGMENT_BYTE=1", "is RAMJET_SEGMENT_BYTES meant?"},
      {"RAMJET_SEGMENTS_BYTES=1", "is RAMJET_SEGMENT_BYTES meant?"},
      {"RAMJET_SEGMENT=1", "is RAMJET_SEGMENT_BYTES meant?"},
      {"RAMJET_NETWROK=ofi", "is RAMJET_NETWORK meant?"},
      {"RAMJET_NETWORKS=ofi", "is RAMJET_NETWORK meant?"},
      {"RAMJET_PROGESS", "is RAMJET_PROGRESS meant?"},
      {"RAMJET_ULT_WORKER=3", "is RAMJET_ULT_WORKERS meant?"}};
  for (const auto& [variable, sentence] : cases) {
    const auto told = misspelt(variable);
    ASSERT_EQ(told.size(), 1u) << variable;
    EXPECT_THAT(told[0], HasSubstr(sentence));
  }
}

TEST(settings, of_others_are_left_alone) {
  for (const auto& s : all_settings()) EXPECT_TRUE(misspelt(s.name).empty()) << s.name;
  for (const char* variable : {"RAMJET_RANK=0", "RAMJET_NODES=2", "RAMJET_JOB_FD=3",
                               "RAMJET_TEST_SEED=1", "RAMJET_MY_OWN=1", "RAMJE_FAR=1"})
    EXPECT_TRUE(misspelt(variable).empty()) << variable;
}

}  // namespace
