// SPDX-License-Identifier: Apache-2.0
// Which value of a figure follows from what was measured, of machines that are made up.
#include "tools/characterize/choices/comparison.hpp"

#include <gtest/gtest.h>

#include "tools/characterize/report/choices.hpp"

namespace {

using namespace characterize;
using ramjet::base::figure;
using ramjet::base::kNever;

// At sizes 1 KiB, 2 KiB, ...
curve times(std::initializer_list<double> ns) {
  curve c;
  double size = 1024;
  for (const double each : ns) {
    c.push_back({size, each});
    size *= 2;
  }
  return c;
}

comparison limit(figure f, std::initializer_list<double> below,
                 std::initializer_list<double> from_it_on) {
  const auto& row = ramjet::base::all_figures()[std::size_t(f)];
  return {f, "made up", {{row.least, times(from_it_on)}, {row.most, times(below)}}};
}

std::uint64_t best(const comparison& c) { return best_value({&c, 1}); }

constexpr figure kStreaming = figure::near_write_streaming_bytes;

TEST(Choice, ALimitLiesWhereTheOtherWayBecomesFaster) {
  EXPECT_EQ(best(limit(kStreaming, {1, 2, 4, 8, 16}, {2, 3, 5, 6, 9})), 8192u);
  EXPECT_EQ(best(limit(kStreaming, {1, 2, 4, 8, 16}, {0.5, 1, 2, 4, 8})), 1024u);
}

TEST(Choice, AnUpperLimitIsTheLastSizeOfTheFirstWay) {
  // most: by the hub.
  EXPECT_EQ(best(limit(figure::hub_bytes, {1, 2, 4, 9, 20}, {2, 3, 5, 8, 10})), 4096u);
}

TEST(Choice, OneSizeAloneChangesNothing) {
  EXPECT_EQ(best(limit(kStreaming, {1, 2, 4, 8, 16, 32}, {2, 3.8, 5, 16, 15.8, 40})), kNever);
}

TEST(Choice, WhatIsNoBetterStaysAsBuiltIn) {
  EXPECT_EQ(best(limit(kStreaming, {1, 2, 4, 8, 16}, {1, 2, 4, 8, 15.8})), kNever);
}

TEST(Choice, AtOneSizeALittleIsNotEnough) {
  const auto& row = ramjet::base::all_figures()[std::size_t(figure::lines_ahead)];
  const auto built_in_or_4 = [&](double by_4) {
    return best(
        {figure::lines_ahead, "made up", {{row.fallback, times({10})}, {4, times({by_4})}}});
  };
  EXPECT_EQ(built_in_or_4(9.7), row.fallback);
  EXPECT_EQ(built_in_or_4(9.4), 4u);
}

TEST(Choice, WhatIsBetterByLessThanTheNoiseStaysAsBuiltIn) {
  comparison c = limit(kStreaming, {1, 2, 4, 8, 16}, {2, 3, 5, 6, 9});  // by 17 %
  c.noise = 0.15;
  EXPECT_EQ(best(c), 8192u);
  c.noise = 0.2;
  EXPECT_EQ(best(c), kNever);
}

TEST(Choice, PartsOfTheLeastCostOverAllSizes) {
  const comparison c{figure::far_write_part_bytes,
                     "made up",
                     {{64 << 10, times({4, 8, 16})},
                      {256 << 10, times({3, 5, 12})},
                      {1 << 20, times({3, 6, 10})}}};
  EXPECT_EQ(best(c), std::uint64_t(256 << 10));
}

TEST(Choice, SeveralComparisonsCountAlike) {
  const comparison near{figure::block_bytes,
                        "near",
                        {{8192, times({10})}, {16384, times({9})}, {32768, times({9.5})}}};
  const comparison far{figure::block_bytes,
                       "far",
                       {{8192, times({100})}, {16384, times({90})}, {32768, times({50})}}};
  const comparison both[] = {near, far};
  EXPECT_EQ(best_value(both), 32768u);
}

TEST(Choice, RatiosAreOfTheFirst) {
  const comparison c = limit(kStreaming, {1, 2, 8}, {2, 2, 4});
  const curve ratios = ratios_to_best(c);
  ASSERT_EQ(ratios.size(), 3u);
  EXPECT_DOUBLE_EQ(ratios[0].ns, 2);
  EXPECT_DOUBLE_EQ(ratios[1].ns, 1);
  EXPECT_DOUBLE_EQ(ratios[2].ns, 1);
  EXPECT_NE(check_text({c}).find("within 5 % of the best at 2 of 3 sizes"), std::string::npos);
}

TEST(Choice, ValuesThatComeToTheSameAreOneWay) {
  // At 1 KiB both parts are one; at 64 KiB the first is four times slower.
  const comparison c{
      figure::far_write_part_bytes,
      "made up",
      {{16 << 10, {{1024, 11}, {65536, 40}}}, {64 << 10, {{1024, 10}, {65536, 10}}}}};
  const curve ratios = ratios_to_best(c);
  EXPECT_DOUBLE_EQ(ratios[0].ns, 1);
  EXPECT_DOUBLE_EQ(ratios[1].ns, 4);
}

TEST(Choice, AJobsWordsAreChecked) {
  comparison c = limit(kStreaming, {1, 2, 8}, {2, 2, 4});
  c.noise = 0.25;
  const comparison again = comparison_of(as_json(c));
  EXPECT_EQ(again.figure, c.figure);
  EXPECT_EQ(again.forced.size(), 2u);
  EXPECT_DOUBLE_EQ(again.noise, 0.25);
  EXPECT_EQ(best(again), best(c));
  using wrong = console::json::wrong_kind;
  auto j = as_json(c);
  j["figure"] = "no such thing";
  EXPECT_THROW(comparison_of(j), wrong);
  j = as_json(c);
  j["forced"] = console::json::array();
  EXPECT_THROW(comparison_of(j), wrong);
  comparison uneven = c;
  uneven.forced[0].times.pop_back();
  EXPECT_THROW(comparison_of(as_json(uneven)), wrong);
}

}  // namespace
