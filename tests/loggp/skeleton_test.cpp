// SPDX-License-Identifier: Apache-2.0
// The notation of skeletons: mistakes are told with their places; what comes with the command runs.
#include <gtest/gtest.h>

#include <string>

#include "tools/model/embedded.hpp"
#include "tools/model/fit.hpp"
#include "tools/model/skeleton.hpp"

namespace loggp {
namespace {

machine some_machine() {
  const message_costs costs{
      .latency_ns = 500, .send_ns = 20, .receive_ns = 20, .gap_ns = 20, .byte_ns = 0.1};
  machine m;
  m.near = m.far = costs;
  return m;
}

double time_of(const skeleton& s, unsigned ranks, const machine& m = some_machine()) {
  return simulate(m, *program_of(s, m, ranks), {.ranks = ranks, .progress = {}}).time_ns;
}

// Of one rank that computes for that time.
double value(const std::string& expression, unsigned ranks = 1) {
  return time_of(parse_skeleton("x", "skeleton x compute " + expression), ranks);
}

TEST(Skeleton, Expressions) {
  EXPECT_EQ(value("1 + 2 * 3 - 4 / 2"), 5);
  EXPECT_EQ(value("2 ^ 3 ^ 2"), 512);
  EXPECT_EQ(value("7 - 2 - 1"), 4);
  EXPECT_EQ(value("(-1) % 8"), 7);
  EXPECT_EQ(value("-(2 - 5)"), 3);
  EXPECT_EQ(value("min(3, 4) + max(3, 4) * 10 + floor(2.5) * 100 + ceil(2.5) * 1000"), 3243);
  EXPECT_EQ(value("sqrt(16) + log2(8) + exp(0)"), 8);
  EXPECT_EQ(value("xor(5, 3)"), 6);
  EXPECT_EQ(value("(1 < 2) + (2 <= 2) + (2 > 1) + (1 >= 2) + (1 == 1) + (1 != 1)"), 4);
  EXPECT_EQ(value("1us + 2 * 1ms + 3KiB"), 2'001'000 + 3072);
  EXPECT_EQ(value("ranks * ranks_per_node * cores", 4), 64);
  EXPECT_EQ(value("rank", 4), 3);
}

TEST(Skeleton, GathersCostWhatTheMachineSays) {
  machine m = some_machine();
  const skeleton s = parse_skeleton("x", "skeleton x compute 100 * gather(ranks * 1KiB)");
  EXPECT_EQ(time_of(s, 4, m), 0);
  m.gathers = {{1024, 1}, {4096, 3}};
  EXPECT_DOUBLE_EQ(time_of(s, 1, m), 100);
  EXPECT_DOUBLE_EQ(time_of(s, 4, m), 300);
  m.first_touch_ns = 500;
  EXPECT_EQ(time_of(parse_skeleton("x", "skeleton x compute touch(1MiB)"), 1, m), 256 * 500);
  for (const char* const wrong : {"gather(0 - 5)", "gather(0 / 0)", "touch(0 - 1)"})
    EXPECT_THROW(value(wrong), input_error) << wrong;
}

TEST(Skeleton, LoopsAndConditions) {
  const auto of = [](const std::string& body) {
    return time_of(parse_skeleton("x", "skeleton x " + body), 1);
  };
  EXPECT_EQ(of("repeat 4 as i { repeat i as j { compute 1 + 0 * j } }"), 6);
  EXPECT_EQ(of("repeat 0 { compute 1 } repeat 2.9 { compute 10 }"), 20);
  EXPECT_EQ(of("if ranks > 1 { compute 1 } else if ranks == 1 { compute 2 } else { compute 4 }"),
            2);
  EXPECT_EQ(of("let a = 3 repeat 2 { let b = a * 2 compute b }"), 12);
  EXPECT_EQ(of("repeat 2 as i { compute 1 } repeat 3 as i { compute i }"), 5);
}

TEST(Skeleton, WrongTextIsToldWithItsPlace) {
  const auto told = [](const std::string& text) -> std::string {
    try {
      static_cast<void>(parse_skeleton("f", text));
    } catch (const input_error& wrong) {
      return wrong.what();
    }
    return "nothing";
  };
  EXPECT_EQ(told(""),
            "f:1:1: this is not a skeleton: it begins with the word skeleton, and its name");
  EXPECT_EQ(told("skeleton"), "f:1:9: the skeleton's name is expected before the end of the file");
  EXPECT_EQ(told("skeleton x\ncompute"), "f:2:8: a number is expected before the end of the file");
  EXPECT_EQ(told("skeleton x\n  compute y"), "f:2:11: there is no 'y'");
  EXPECT_EQ(told("skeleton x\nrepeat 2 {\nbarrier"), "f:3:8: a block has no end: '}' is missing");
  EXPECT_EQ(told("skeleton x jump 3"), "f:1:12: 'jump' begins no statement");
  EXPECT_EQ(told("skeleton x send 3 4"), "f:1:19: 'to' is expected before a number");
  EXPECT_EQ(told("skeleton x parameter a 1 parameter a 2"), "f:1:36: 'a' is there already");
  EXPECT_EQ(told("skeleton x let rank = 2"), "f:1:16: 'rank' is there for every skeleton");
  EXPECT_EQ(told("skeleton x let min = 2"), "f:1:16: 'min' is a function");
  EXPECT_EQ(told("skeleton x fitted a 0"), "f:1:21: what is fitted begins with a number above 0");
  EXPECT_EQ(told("skeleton x compute 3kg"),
            "f:1:20: 'kg' is not a unit: ns, us, ms, s, KiB, MiB or GiB");
  EXPECT_EQ(told("skeleton x compute 1e999"), "f:1:20: this is not a number");
  EXPECT_EQ(told("skeleton x \"never ends\ncompute 1"), "f:1:12: the text has no end on its line");
  EXPECT_EQ(told("skeleton x compute 1 $"), "f:1:22: '$' means nothing here");
  EXPECT_EQ(told(std::string("skeleton x \x01", 12)), "f:1:12: this is not the text of a skeleton");
  EXPECT_EQ(told("skeleton x repeat 2 { parameter a 1 }"),
            "f:1:23: parameters stand outside of blocks");
  EXPECT_EQ(told("skeleton x repeat 2 as i { } compute i"), "f:1:38: there is no 'i'");
  EXPECT_NE(told("skeleton x compute " + std::string(10'000, '(')).find("nests too deep"),
            std::string::npos);
  std::string deep = "skeleton x ";
  for (int i = 0; i < 10'000; ++i) deep += "repeat 1 { ";
  EXPECT_NE(told(deep).find("too deep"), std::string::npos) << told(deep);
  std::string sum = "skeleton x compute 1";
  for (int i = 0; i < 100'000; ++i) sum += "+1";
  EXPECT_EQ(told(sum), "f:1:2021: the expression has over 1000 operations in a row");
  std::string doubled = "skeleton x let a0 = ranks ";
  for (int i = 0; i < 40; ++i) {
    const std::string name = "a" + std::to_string(i);
    doubled += "let a" + std::to_string(i + 1) + " = " + name + " + " + name + " ";
  }
  EXPECT_NE(told(doubled).find("over a million operations"), std::string::npos) << told(doubled);
  EXPECT_EQ(told(std::string(2 << 20, ' ')), "f: no skeleton has more than 1 MiB");
}

TEST(Skeleton, AlternativesMayBeMany) {
  std::string chain = "skeleton x ";
  for (int i = 0; i < 20'000; ++i)
    chain += "if rank == " + std::to_string(i) + " { compute " + std::to_string(i) + " } else ";
  const skeleton s = parse_skeleton("x", chain + "{ compute 7 }");
  EXPECT_DOUBLE_EQ(time_of(s, 3), 2);
}

TEST(Skeleton, LoopsThatDoNothingEnd) {
  const skeleton s = parse_skeleton("x", "skeleton x repeat 1e18 { }");
  EXPECT_THROW(time_of(s, 1), input_error);
}

TEST(Skeleton, ParametersAreSetByName) {
  skeleton s = parse_skeleton("x", "skeleton x parameter a 1 compute a");
  s.set("a=2.5e3");
  EXPECT_EQ(time_of(s, 1), 2500);
  for (const char* const wrong : {"a", "a=", "a=x", "b=1", "=1", "a=nan", "a=inf"})
    EXPECT_THROW(s.set(wrong), input_error) << wrong;
}

TEST(Skeleton, WhatComesWithTheCommandRuns) {
  for (const std::string_view name : kShipped) {
    const std::string file = std::string(name) + ".skeleton";
    const skeleton s = parse_skeleton(file, embedded(file));
    EXPECT_EQ(s.name, name);
    machine crowded = some_machine();
    crowded.cores = 2;
    for (const unsigned ranks : {1u, 2u, 3u, 16u, 70u}) {
      EXPECT_GE(time_of(s, ranks), 0) << name << " on " << ranks;
      EXPECT_GE(time_of(s, ranks, crowded), time_of(s, ranks)) << name << " on " << ranks;
    }
  }
}

TEST(Fit, FindsTheCostsThatRunsWereMadeWith) {
  const std::string text =
      "skeleton x parameter n 1e6 fitted a 5 fitted b 1us compute a * n / ranks compute b barrier";
  const machine m = some_machine();
  skeleton truth = parse_skeleton("x", text);
  truth.set("a=0.8");
  truth.set("b=20000");
  std::vector<measured_run> runs;
  for (const unsigned ranks : {1u, 2u, 4u}) runs.push_back({ranks, time_of(truth, ranks)});
  skeleton s = parse_skeleton("x", text);
  fit(s, m, runs);
  for (const unsigned ranks : {8u, 64u, 1024u})
    EXPECT_NEAR(time_of(s, ranks) / time_of(truth, ranks), 1, 0.05) << ranks;
  skeleton closed = parse_skeleton("x", "skeleton x compute 1");
  EXPECT_THROW(fit(closed, m, runs), input_error);
  EXPECT_THROW(fit(s, m, {runs[0]}), input_error);
  std::uint64_t simulations = 0;
  const auto give_up = [&simulations](std::uint64_t begun) { return (simulations = begun) < 5; };
  EXPECT_THROW(fit(s, m, runs, give_up), interrupted);
  EXPECT_EQ(simulations, 5u);
}

TEST(Fit, ReadsRuns) {
  const auto runs = read_runs("f",
                              "{\"ranks\":2,\"seconds\":3}\n{\"ranks\":2,\"seconds\":1}\n\n"
                              "{\"ranks\":2,\"seconds\":2,\"app\":\"x\"}\n"
                              "{\"ranks\":1,\"seconds\":5}");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].ranks, 1u);
  EXPECT_EQ(runs[1].time_ns, 2e9);
  for (const char* const wrong :
       {"", "\n", "x", "[1]", "{\"ranks\":0,\"seconds\":1}", "{\"ranks\":1.5,\"seconds\":1}",
        "{\"ranks\":1,\"seconds\":0}", "{\"ranks\":1,\"seconds\":-1}", "{\"ranks\":1}",
        "{\"ranks\":1,\"seconds\":1}\n{\"ranks\":", "{\"ranks\":1e12,\"seconds\":1}"})
    EXPECT_THROW(read_runs("f", wrong), input_error) << wrong;
}

std::string refusal_of(const std::string& runs, const std::string& way) {
  try {
    read_runs("f", runs, way);
  } catch (const input_error& wrong) {
    return wrong.what();
  }
  return "none";
}

TEST(Fit, ReadsRunsOfSeveralWays) {
  const std::string apps =
      R"({"ranks":2,"ways":[{"way":"a","seconds":3},{"way":"b","seconds":4}],"seconds":9})"
      "\n"
      R"({"ranks":1,"ways":[{"way":"a","seconds":5},{"way":"b"}]})";
  const auto runs = read_runs("f", apps, "a");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].time_ns, 5e9);
  EXPECT_EQ(runs[1].time_ns, 3e9);
  const auto of_four = read_runs("f", R"({"ranks":2,"seconds":1})"
                                      "\n"
                                      R"({"ranks":2,"seconds":9})"
                                      "\n"
                                      R"({"ranks":2,"seconds":3})"
                                      "\n"
                                      R"({"ranks":2,"seconds":2})");
  ASSERT_EQ(of_four.size(), 1u);
  EXPECT_EQ(of_four[0].time_ns, 2.5e9);
  EXPECT_EQ(refusal_of(apps, ""), "f: has several ways, a,b: choose one by --way");
  EXPECT_EQ(refusal_of(apps, "c"), "f: has no way 'c': it has a,b");
  EXPECT_NE(refusal_of(apps, "b").find("is not a list of runs"), std::string::npos);
  EXPECT_EQ(read_runs("f", R"({"ranks":2,"ways":[{"way":"a","seconds":3}]})").size(), 1u);
  EXPECT_NE(refusal_of(R"({"ranks":2,"ways":[]})", "").find("is not a list"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"ranks":2,"ways":[3]})", "").find("is not a list"), std::string::npos);
  EXPECT_NE(refusal_of(R"({"ranks":2,"seconds":3})", "a").find("has no ways"), std::string::npos);
}

TEST(Fit, ReadsRunsOfEm3d) {
  const std::string bulk = R"({"version":"bulk","ns_per_edge":{"median":2}})",
                    put = R"({"version":"put","ns_per_edge":{"median":3}})",
                    begin = R"({"ranks":2,"edges_per_rank":100,"iterations":10,"results":[)";
  EXPECT_DOUBLE_EQ(read_runs("f", begin + bulk + "]}").at(0).time_ns, 2000);
  EXPECT_DOUBLE_EQ(read_runs("f", begin + bulk + "," + put + "]}", "put").at(0).time_ns, 3000);
  EXPECT_NE(refusal_of(begin + bulk + "," + put + "]}", "").find("choose one by --way"),
            std::string::npos);
  EXPECT_NE(refusal_of(begin + bulk + "," + bulk + "]}", "").find("one percentage alone"),
            std::string::npos);
  EXPECT_NE(refusal_of(R"({"ranks":2,"results":[{"version":"bulk"}]})", "").find("is not a list"),
            std::string::npos);
}

}  // namespace
}  // namespace loggp
