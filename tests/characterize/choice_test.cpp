// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tools/characterize/choices/keeping.hpp"
#include "tools/characterize/drift.hpp"
#include "tools/characterize/remote/results.hpp"
#include "tools/characterize/report/placed.hpp"
#include "tools/characterize/report/sentences.hpp"

namespace characterize {
namespace {

mechanism way(const char* name, const std::vector<double>& ns) {
  mechanism m{name, {}};
  for (std::size_t i = 0; i < ns.size(); ++i) m.transfers.push_back({double(8u << i), ns[i]});
  return m;
}

std::string text_of(const std::vector<choice>& choices) {
  std::string text;
  for (const choice& c : choices) text += c.name + "@" + std::to_string(int(c.from_bytes)) + " ";
  return text;
}

TEST(FastestBySize, OneWay) { EXPECT_EQ(text_of(fastest_by_size({way("a", {1, 2})})), "a@8 "); }

TEST(FastestBySize, WaysCross) {
  EXPECT_EQ(text_of(fastest_by_size({way("a", {1, 2, 4, 8}), way("b", {3, 3, 3, 3})})),
            "a@8 b@32 ");
}

TEST(FastestBySize, OneSizeIsNoise) {
  EXPECT_EQ(text_of(fastest_by_size({way("a", {1, 2, 4, 8}), way("b", {9, 1, 9, 9})})), "a@8 ");
}

TEST(FastestBySize, TheLastSizeAloneIsNoise) {
  EXPECT_EQ(text_of(fastest_by_size({way("a", {1, 2, 4, 8}), way("b", {9, 9, 9, 1})})), "a@8 ");
  EXPECT_EQ(text_of(fastest_by_size({way("a", {1, 2, 4}), way("b", {9, 9, 9, 1})})), "a@8 b@64 ");
}

TEST(FastestBySize, AlikeStays) {
  EXPECT_EQ(text_of(fastest_by_size({way("a", {1, 2, 4, 8}), way("b", {2, 3, 3.9, 7.9})})), "a@8 ");
}

TEST(FastestBySize, AWayThatEndsIsLeft) {
  EXPECT_EQ(text_of(fastest_by_size({way("a", {1, 2}), way("b", {3, 4, 5, 6})})), "a@8 b@32 ");
}

TEST(FastestBySize, NoWays) { EXPECT_TRUE(fastest_by_size({}).empty()); }

TEST(Results, ComeBackFromTheirText) {
  remote_results r;
  r.reads = {{8, 1.5}, {64, 20}};
  r.gets = {{1, 100}, {32, 7}};
  r.puts = {{1, 90}, {32, 3}};
  r.puts_by_stride = {{8, 2}, {64, 4}};
  r.put_ns = 3;
  r.drift = 1.125;
  r.messages = {.round_trip_ns = 100, .send_ns = 10, .receive_ns = 5, .gap_ns = 4, .byte_ns = 0.1};
  r.bulk_reads = {way("words", {1, 2}), way("bulk", {3, 4, 5})};
  const auto parsed = console::json::parse(as_json(r).dump());
  ASSERT_TRUE(parsed);
  const remote_results back = remote_results_of(*parsed);
  EXPECT_EQ(as_json(back), as_json(r));
  EXPECT_DOUBLE_EQ(back.messages.latency_ns(), 35);
  EXPECT_THROW(remote_results_of(console::json::object()), console::json::wrong_kind);
}

TEST(Results, RowsByWhereTheRanksAre) {
  const message_costs near{
      .round_trip_ns = 120, .send_ns = 10, .receive_ns = 5, .gap_ns = 4, .byte_ns = 0.125};
  const message_costs far{
      .round_trip_ns = 20'000, .send_ns = 300, .receive_ns = 400, .gap_ns = 500, .byte_ns = 1};
  const std::vector<placed_costs> rows{{"the same L3 cache", {0, 2}, {near, 1.1}},
                                       {"other node", {}, {far, 1.5}}};
  const std::string text = text_of(rows);
  EXPECT_NE(text.find("the same L3 cache           0, 2         120 ns  10.0 ns"), text.npos);
  EXPECT_NE(text.find("other node                     -        20.0 us   300 ns"), text.npos);
  EXPECT_NE(text.find("other node: the machine's pace changed by 50 % meanwhile"), text.npos);
  EXPECT_EQ(text.find("the same L3 cache: the machine"), text.npos);
  const console::json j = as_json(rows);
  ASSERT_EQ(j.elements().size(), 2u);
  EXPECT_EQ(j.elements()[0]["where"], console::json("the same L3 cache"));
  EXPECT_EQ(j.elements()[0]["processors"].elements().size(), 2u);
  EXPECT_EQ(j.elements()[0]["latency_ns"], console::json(45.0));
  EXPECT_TRUE(j.elements()[0]["steady"].as_bool());
  EXPECT_TRUE(j.elements()[1]["processors"].elements().empty());
  EXPECT_FALSE(j.elements()[1]["steady"].as_bool());
}

TEST(Results, AnIdleNetworkIsToldBesideNone) {
  const idle_network n{.without = {.round_trip_ns = 100, .gap_ns = 10, .poll_ns = 5},
                       .with = {.round_trip_ns = 120, .gap_ns = 11, .poll_ns = 7}};
  const std::string text = text_of(n);
  EXPECT_NE(text.find("120 ns there and back, 100 ns without the network"), text.npos);
  EXPECT_NE(text.find("g 11.0 ns, 10.0 ns without"), text.npos);
  EXPECT_NE(text.find("takes 7.0 ns, 5.0 ns without"), text.npos);
  EXPECT_EQ(text.find("pace"), text.npos);
  EXPECT_TRUE(as_json(n)["steady"].as_bool());
  idle_network unsteady = n;
  unsteady.drift = 1.5;
  EXPECT_NE(text_of(unsteady).find("50 %"), text.npos);
  EXPECT_FALSE(as_json(unsteady)["steady"].as_bool());
  const beside_silent_rank back = beside_silent_rank_of(as_json(n)["with"]);
  EXPECT_EQ(as_json(back), as_json(n.with));
}

TEST(Drift, IsTheSlowestOverTheFastest) {
  drift_watch drift;
  EXPECT_DOUBLE_EQ(drift.ratio(), 1);
  for (const double ns : {100.0, 80.0, 120.0}) drift.note(ns);
  EXPECT_DOUBLE_EQ(drift.ratio(), 1.5);
}

TEST(Drift, IsSaidWhereItIsWorthIt) {
  EXPECT_EQ(drift_text(1.25, 1.25), "");
  EXPECT_EQ(drift_text(1.5, 1.25),
            "  The machine's pace changed by 50 % meanwhile: run again on a quieter machine.\n");
}

// As `ramjet characterize` sees a machine whose round trips take these times.
std::string why_not_kept_at(const std::vector<double>& paces_ns, double lost = 0) {
  drift_watch drift;
  for (const double ns : paces_ns) drift.note(ns);
  return why_not_kept({.drift = drift.ratio(), .lost = lost});
}

TEST(Profile, IsKeptUpToADrift) {
  EXPECT_EQ(why_not_kept_at({100, 101, 99}), "");
  EXPECT_EQ(why_not_kept_at({100, 200, 150}), "");
  EXPECT_EQ(why_not_kept_at({100, 201, 150}),
            "the machine's pace changed by 101 % meanwhile, and 100 % is the limit");
  EXPECT_EQ(why_not_kept_at({100, 4822, 120}),
            "the machine's pace changed by 4722 % meanwhile, and 100 % is the limit");
}

TEST(Profile, IsNotKeptWhereOtherProgramsTookTheProcessors) {
  EXPECT_EQ(why_not_kept_at({100, 101}, 0.25), "");
  // A machine that is busy all the time keeps its pace.
  EXPECT_EQ(why_not_kept_at({100, 101}, 0.5),
            "other programs took 50 % of the ranks' processor time meanwhile, and 25 % is the "
            "limit");
}

}  // namespace
}  // namespace characterize
