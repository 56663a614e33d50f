// SPDX-License-Identifier: Apache-2.0
// Times of simulated jobs against LogGP's closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tools/model/skeleton.hpp"

namespace loggp {
namespace {

constexpr double kL = 1000, kOs = 30, kOr = 20, kGap = 50, kByte = 0.25;
constexpr message_costs kCosts{
    .latency_ns = kL, .send_ns = kOs, .receive_ns = kOr, .gap_ns = kGap, .byte_ns = kByte};

// A node for each rank.
machine far_machine() {
  machine m;
  m.near = m.far = kCosts;
  m.ranks_per_node = 1;
  return m;
}

outcome run(const std::string& body, unsigned ranks, const machine& m = far_machine()) {
  const skeleton s = parse_skeleton("test", "skeleton test " + body);
  return simulate(m, *program_of(s, m, ranks), {.ranks = ranks, .progress = {}});
}

double time_of(const std::string& body, unsigned ranks, const machine& m = far_machine()) {
  return run(body, ranks, m).time_ns;
}

TEST(Simulation, PingPong) {
  const std::string body =
      "repeat 10 { if rank == 0 { send 1 to 1 receive from 1 } "
      "else { receive from 0 send 1 to 0 } }";
  EXPECT_DOUBLE_EQ(time_of(body, 2), 10 * 2 * (kOs + kL + kOr));
}

TEST(Simulation, LongMessagesTakeTheirBytes) {
  const std::string body = "if rank == 0 { send 1001 to 1 } else { receive from 0 }";
  EXPECT_DOUBLE_EQ(time_of(body, 2), kOs + 1000 * kByte + kL + kOr);
}

TEST(Simulation, ARowOfMessagesIsApartByTheGap) {
  const std::string one = "if rank == 0 { send 1 to 1 in 100 } else { receive from 0 }";
  const std::string each =
      "if rank == 0 { repeat 100 { send 1 to 1 } } else { repeat 100 { receive from 0 } }";
  const double expected = 99 * kGap + kOs + kL + kOr;  // receiving takes less than the gap
  EXPECT_DOUBLE_EQ(time_of(one, 2), expected);
  EXPECT_DOUBLE_EQ(time_of(each, 2), expected);
}

TEST(Simulation, AReceiverThatIsSlowerThanTheGapIsWhatCounts) {
  machine m = far_machine();
  m.far.receive_ns = 80;
  const std::string one = "if rank == 0 { send 1 to 1 in 100 } else { receive from 0 }";
  const std::string each =
      "if rank == 0 { repeat 100 { send 1 to 1 } } else { repeat 100 { receive from 0 } }";
  EXPECT_DOUBLE_EQ(time_of(one, 2, m), kOs + kL + 100 * 80);
  EXPECT_DOUBLE_EQ(time_of(each, 2, m), kOs + kL + 100 * 80);
}

TEST(Simulation, OverheadIsTheProcessorsAndTheGapIsNot) {
  const std::string body =
      "if rank == 0 { send 1 to 1 compute 10us send 1 to 1 } "
      "else { receive from 0 receive from 0 }";
  EXPECT_DOUBLE_EQ(time_of(body, 2), kOs + 10e3 + kOs + kL + kOr);
}

TEST(Simulation, NearBytesAreCopiedByTheSender) {
  machine m = far_machine();
  m.ranks_per_node = 0;
  const std::string body = "if rank == 0 { send 1001 to 1 compute 5us } else { receive from 0 }";
  EXPECT_DOUBLE_EQ(time_of(body, 2, m), kOs + 1000 * kByte + 5e3);
  EXPECT_DOUBLE_EQ(time_of(body, 2), kOs + 5e3);
}

TEST(Simulation, BytesOfAnExchangeCostWhatTheyDoAmongAsManyRanks) {
  machine m = far_machine();
  m.near.gap_ns = 0;  // so that the processor's work is what counts
  m.bytes = {{2, 1}, {4, 2}, {8, 16}};
  const auto of = [&](unsigned ranks, unsigned on_node, const std::string& partners) {
    m.ranks_per_node = on_node;
    const std::string body = "exchange 1001 with " + partners;
    return time_of(body, ranks, m) - time_of("exchange 1 with " + partners, ranks, m);
  };
  EXPECT_DOUBLE_EQ(of(2, 0, "1"), 1000 * kByte);
  EXPECT_DOUBLE_EQ(of(4, 0, "3"), 3 * 2 * 1000 * kByte);
  EXPECT_DOUBLE_EQ(of(8, 0, "7"), 7 * 16 * 1000 * kByte);
  EXPECT_DOUBLE_EQ(of(8, 0, "3"), 3 * 2 * 1000 * kByte);  // among four
  EXPECT_DOUBLE_EQ(of(4, 1, "3"), 3 * 1000 * kByte);  // the network's work
  EXPECT_DOUBLE_EQ(of(16, 4, "5"), 5 * 1000 * kByte);  // among two: one of five is on the node
  const std::string one =
      "if rank == 0 { send 1001 to 1 compute 5us } "
      "else { if rank == 1 { receive from 0 } }";
  m.ranks_per_node = 0;
  EXPECT_DOUBLE_EQ(time_of(one, 8, m), kOs + 1000 * kByte + 5e3);
}

TEST(Simulation, BarriersAndBroadcastsAreAsDeepAsTheirTrees) {
  for (const unsigned ranks : {1u, 2u, 3u, 8u, 9u, 64u, 100u, 1024u}) {
    const double depth = std::ceil(std::log2(ranks));
    EXPECT_DOUBLE_EQ(time_of("barrier", ranks), depth * (kOs + kL + kOr)) << ranks;
    EXPECT_DOUBLE_EQ(time_of("reduce 101", ranks), depth * (kOs + 100 * kByte + kL + kOr)) << ranks;
  }
  for (const unsigned ranks : {2u, 8u, 64u, 1024u})
    EXPECT_DOUBLE_EQ(time_of("broadcast 1", ranks), std::log2(ranks) * (kOs + kL + kOr)) << ranks;
}

TEST(Simulation, TheLastOneToComeIsWaitedFor) {
  EXPECT_DOUBLE_EQ(time_of("compute 1us * rank barrier", 8), 7e3 + 3 * (kOs + kL + kOr));
}

// Each rank sends to all, then receives: what counts is the last one's flight, or the work.
double all_to_all(double ranks) {
  const double sent = (ranks - 2) * kGap + kOs;
  return std::max(sent + kL + kOr, sent + (ranks - 1) * kOr);
}

TEST(Simulation, AllToAll) {
  for (const unsigned ranks : {2u, 5u, 64u})
    EXPECT_DOUBLE_EQ(time_of("exchange 1 with ranks - 1", ranks), all_to_all(ranks)) << ranks;
  EXPECT_EQ(time_of("exchange 1 with ranks - 1", 1), 0);
}

TEST(Simulation, SomePartnersStandForAll) {
  const unsigned ranks = 5000;
  const outcome o = run("exchange 1 with ranks - 1", ranks);
  EXPECT_NEAR(o.messages, double(ranks) * (ranks - 1), 1);
  EXPECT_NEAR(o.time_ns / all_to_all(ranks), 1, 0.02);
}

TEST(Simulation, PutsAreNobodysOverheadButTheSenders) {
  const outcome o = run("put 1 to 1", 4);
  EXPECT_DOUBLE_EQ(o.time_ns, kOs + 2 * kL);  // and its answer
  EXPECT_DOUBLE_EQ(o.overhead_ns, 4 * kOs);
}

TEST(Simulation, CoresAreSharedByTurns) {
  machine m = far_machine();
  m.ranks_per_node = 0;
  m.cores = 2;
  m.turns = {{4, 100}, {64, 400}};
  EXPECT_DOUBLE_EQ(time_of("compute 1us", 2, m), 1e3);
  EXPECT_DOUBLE_EQ(time_of("compute 1us", 4, m), 2 * 1100);
  EXPECT_DOUBLE_EQ(time_of("compute 1us", 64, m), 32 * 1400);
  EXPECT_DOUBLE_EQ(time_of("compute 1us", 16, m), 8 * 1200);  // between, by the logarithms
  EXPECT_DOUBLE_EQ(time_of("compute 1us", 5, m), 3 * (1e3 + m.turn_ns(5)));
}

TEST(Simulation, WhoWaitsGivesItsCoreAway) {
  machine m = far_machine();
  m.ranks_per_node = 0;
  m.cores = 1;
  // Rank 0 waits for rank 1, which needs the only core for 10 us.
  const std::string body =
      "if rank == 0 { receive from 1 compute 1us } else { compute 10us send 1 to 0 }";
  EXPECT_DOUBLE_EQ(time_of(body, 2, m), 10e3 + kOs + kL + kOr + 1e3);
}

TEST(Simulation, ABarrierOfACrowdIsATurnOfEach) {
  machine m = far_machine();
  m.ranks_per_node = 0;
  m.cores = 2;
  m.turns = {{64, 1000}};
  const double one = time_of("barrier", 64, m), two = time_of("barrier barrier", 64, m);
  EXPECT_DOUBLE_EQ(two - one, 32 * 1000 + kOs + 2 * kL + kOr);
}

TEST(Simulation, WhatIsWaitedForInVainIsTold) {
  EXPECT_THROW(run("if rank == 0 { receive from 1 }", 2), stuck);
  EXPECT_THROW(run("if rank == 0 { barrier }", 2), stuck);
  EXPECT_THROW(run("if rank == 0 { barrier } else { reduce 8 }", 2), stuck);
  EXPECT_THROW(run("receive from (rank + 1) % ranks", 3), stuck);
}

TEST(Simulation, ImpossibleNumbersAreRefused) {
  for (const char* const body :
       {"send 1 to ranks", "send 1 to -1", "compute -1", "compute 0 / 0", "compute 1 / 0",
        "send -1 to 0", "exchange 8 with ranks", "exchange 8 with -1", "send 1 to 0 in -1"})
    EXPECT_THROW(run(body, 2), input_error) << body;
  EXPECT_THROW(run("barrier", 0), input_error);
  EXPECT_THROW(run("barrier", kRanksMax + 1), input_error);
}

TEST(Simulation, CanBeInterrupted) {
  const skeleton s = parse_skeleton("test", "skeleton test repeat 1e12 { compute 1 }");
  const machine m = far_machine();
  EXPECT_THROW(simulate(m, *program_of(s, m, 1),
                        {.ranks = 1, .progress = [](double, std::uint64_t) { return false; }}),
               interrupted);
}

TEST(Simulation, TheSameTwice) {
  machine m = far_machine();
  m.ranks_per_node = 8;
  m.cores = 3;
  m.turns = {{8, 70}};
  const std::string body =
      "repeat 5 as i { compute 100 * xor(rank, i) send 8 to (rank + 7) % ranks "
      "receive from (rank - 7) % ranks exchange 100 with 5 barrier }";
  const outcome one = run(body, 40, m), two = run(body, 40, m);
  EXPECT_EQ(one.time_ns, two.time_ns);
  EXPECT_EQ(one.overhead_ns, two.overhead_ns);
  EXPECT_GT(one.turns_ns, 0);
}

TEST(Simulation, ManyRanks) {
  constexpr unsigned kMany = 1 << 18;
  const std::string body =
      "repeat 2 { send 1 to (rank + 1) % ranks receive from (rank - 1) % ranks } barrier";
  EXPECT_DOUBLE_EQ(time_of(body, kMany), 2 * (kOs + kL + kOr) + 18 * (kOs + kL + kOr));
}

}  // namespace
}  // namespace loggp
