// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace {

using ramjet::node::rank_state;
using ramjet::report::diagnosis;
using ramjet::report::hang_report;
using ramjet::report::job_snapshot;
using ramjet::report::lane_view;
using ramjet::report::port_view;
using ramjet::report::ranks_to_ask;
using ramjet::report::who_waited;
using ramjet::report::who_waited_for;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kSecond = 1'000'000'000;

// Ranks that have joined and compute.
job_snapshot joined(unsigned ranks, unsigned endpoints = 1) {
  job_snapshot s;
  s.now_ns = 100 * kSecond;
  s.endpoints = endpoints;
  s.ranks.resize(ranks);
  s.ports.resize(ranks * endpoints);
  for (unsigned rank = 0; rank < ranks; ++rank) {
    s.ranks[rank] = {rank_state::joined, false, pid_t(1000 + rank), 'R'};
    s.ports[rank * endpoints].open = true;
  }
  return s;
}

void wait(job_snapshot& s, unsigned port, const char* call, int target = -1,
          std::uint64_t for_ns = kSecond) {
  s.ports[port] = {true, true, target, s.now_ns - for_ns, call};
  s.ranks[s.rank_of(port)].process_state = 'S';
}

lane_view requests(unsigned from, unsigned to, std::uint64_t sent, std::uint64_t received,
                   std::uint64_t handled) {
  lane_view lane;
  lane.from = from;
  lane.to = to;
  lane.requests_sent = sent;
  lane.requests_received = received;
  lane.requests_handled = handled;
  return lane;
}

TEST(Diagnosis, NothingStandsOutInAWorkingJob) { EXPECT_EQ(diagnosis(joined(3)), ""); }

TEST(Diagnosis, AStoppedProcess) {
  job_snapshot s = joined(2);
  wait(s, 0, "barrier");
  s.ranks[1].process_state = 'T';
  EXPECT_EQ(diagnosis(s),
            "rank 1 (pid 1001) is stopped by a signal; `kill -CONT 1001` lets it go on");
}

TEST(Diagnosis, ACoProcessorThatWaitsSaysNothingOfItsRank) {
  job_snapshot s = joined(2, 2);
  wait(s, 0, "barrier");
  for (unsigned port : {1u, 3u}) {
    wait(s, port, "co-processor", -1, 50 * kSecond);
    s.ports[port].coprocessor = true;
  }
  s.ranks[1].process_state = 'R';
  EXPECT_EQ(s.longest_wait(0), &s.ports[0]);
  EXPECT_EQ(s.longest_wait(1), nullptr);
  EXPECT_THAT(diagnosis(s), HasSubstr("rank 1 is not in a Ramjet call while others wait"));
}

TEST(Diagnosis, ARankThatHasNotJoined) {
  job_snapshot s = joined(3);
  wait(s, 0, "init");
  s.ranks[2].state = rank_state::absent;
  EXPECT_THAT(diagnosis(s), HasSubstr("rank 2 has not joined the job"));
}

TEST(Diagnosis, WaitingForARankThatLeft) {
  job_snapshot s = joined(2);
  wait(s, 0, "call", 1);
  s.ranks[1].state = rank_state::finalized;
  EXPECT_EQ(diagnosis(s), "rank 0 waits in call for rank 1, which has left the job");
}

TEST(Diagnosis, AHandlerThatDoesNotReturn) {
  job_snapshot s = joined(2);
  wait(s, 0, "call", 1);
  s.lanes = {requests(0, 1, 3, 1, 0)};
  EXPECT_THAT(diagnosis(s), HasSubstr("rank 1 is inside the handler of a message from rank 0"));
}

TEST(Diagnosis, ARankThatDoesNotPoll) {
  job_snapshot s = joined(2);
  wait(s, 0, "call", 1);
  s.lanes = {requests(0, 1, 3, 2, 2)};
  EXPECT_THAT(diagnosis(s), HasSubstr("rank 1 does not poll: 1 message waits there"));
}

// A thread waits at endpoint 1 of each rank, and the main thread of each computes.
job_snapshot threads_beside_computing_ones() {
  job_snapshot s = joined(2, 2);
  wait(s, 1, "fetch_add", 1, 3 * kSecond);
  wait(s, 3, "fetch_add", 0, 2 * kSecond);
  return s;
}

TEST(Diagnosis, AnEndpointThatDoesNotPollIsNoCircleOfRanks) {
  job_snapshot s = threads_beside_computing_ones();
  s.lanes = {requests(1, 2, 1, 0, 0), requests(3, 0, 1, 0, 0)};
  EXPECT_EQ(diagnosis(s),
            "endpoint 0 of rank 1 does not poll: 1 message waits there, and it is not in a Ramjet "
            "call (blocked elsewhere); endpoint 1 of rank 0 has waited for it in fetch_add for "
            "3.0 s; its thread has to poll, or a co-processor (--progress=coproc) runs handlers "
            "that are coproc_safe");
}

TEST(Diagnosis, AnEndpointOfAThreadThatDoesNotPoll) {
  job_snapshot s = joined(2, 2);
  s.ports[3].open = true;
  wait(s, 0, "call", 1);
  wait(s, 2, "barrier");
  s.lanes = {requests(0, 3, 2, 0, 0)};
  EXPECT_EQ(diagnosis(s),
            "endpoint 1 of rank 1 does not poll: 2 messages wait there; endpoint 0 of rank 0 has "
            "waited for it in call for 1.0 s; its thread has to poll");
}

TEST(Diagnosis, ARankThatWaitsAtOneEndpointAndComputesAtAnother) {
  EXPECT_EQ(diagnosis(threads_beside_computing_ones()),
            "endpoint 1 of rank 0 waits in fetch_add for rank 1, whose endpoint 0 is not in a "
            "Ramjet call");
}

TEST(Diagnosis, EndpointsThatWaitInACircle) {
  job_snapshot s = joined(2, 2);
  wait(s, 1, "call", 1);
  wait(s, 3, "call", 0);
  s.lanes = {requests(1, 3, 1, 0, 0), requests(3, 1, 1, 0, 0)};
  EXPECT_EQ(diagnosis(s), "endpoints wait for each other in a circle: 0.1 -> 1.1 -> 0.1");
}

TEST(Diagnosis, AThreadThatWaitsForARankThatLeftBesideALongerWait) {
  job_snapshot s = joined(2, 2);
  wait(s, 0, "barrier", -1, 9 * kSecond);
  wait(s, 1, "call", 1);
  s.ranks[1].state = rank_state::finalized;
  EXPECT_EQ(diagnosis(s), "endpoint 1 of rank 0 waits in call for rank 1, which has left the job");
}

TEST(Diagnosis, RanksThatWaitInACircle) {
  job_snapshot s = joined(4);
  wait(s, 0, "call", 1);
  wait(s, 1, "call", 2);
  wait(s, 2, "call", 3);
  wait(s, 3, "call", 1);
  EXPECT_EQ(diagnosis(s), "ranks wait for each other in a circle: 1 -> 2 -> 3 -> 1");
}

TEST(Diagnosis, ARankOutsideRamjet) {
  job_snapshot s = joined(3);
  wait(s, 0, "barrier");
  wait(s, 2, "barrier");
  EXPECT_EQ(diagnosis(s),
            "rank 1 is not in a Ramjet call while others wait: ranks 0 and 2 in barrier");
}

TEST(Diagnosis, CallsThatDoNotMatch) {
  job_snapshot s = joined(3);
  wait(s, 0, "barrier");
  wait(s, 1, "barrier");
  wait(s, 2, "broadcast");
  EXPECT_THAT(diagnosis(s), EndsWith("ranks 0 and 1 in barrier, rank 2 in broadcast"));
  EXPECT_THAT(diagnosis(s), HasSubstr("not in the same call"));
}

TEST(Diagnosis, AllWaitAndNothingIsInFlight) {
  job_snapshot s = joined(2);
  wait(s, 0, "barrier", -1, 3 * kSecond);
  wait(s, 1, "barrier", -1, 2 * kSecond);
  EXPECT_THAT(diagnosis(s), EndsWith("what they wait for was never sent"));
}

TEST(Diagnosis, AWaitThatHasJustBegunIsNoHang) {
  job_snapshot s = joined(2);
  wait(s, 0, "barrier", -1, 30 * kSecond);
  wait(s, 1, "barrier", -1, kSecond / 100);
  EXPECT_EQ(diagnosis(s), "all ranks wait at this moment: ranks 0 and 1 in barrier");
}

TEST(Diagnosis, OfAJobThatMovesOnlyWhatHoldsAllTheSame) {
  job_snapshot s = joined(2);
  wait(s, 0, "push", 1, 30 * kSecond);
  wait(s, 1, "push", 0, 30 * kSecond);
  EXPECT_THAT(diagnosis(s), HasSubstr("circle"));
  s.moving = true;
  EXPECT_EQ(diagnosis(s), "");
  EXPECT_THAT(hang_report(s, "SIGUSR1"), HasSubstr("the job moves"));
  s.ranks[1].state = rank_state::finalized;
  EXPECT_THAT(diagnosis(s), HasSubstr("which has left the job"));
}

TEST(HangReport, NamesEveryRankAndReconciles) {
  job_snapshot s = joined(3);
  wait(s, 0, "ask", 2, 5 * kSecond);
  s.ranks[1].state = rank_state::finalized;
  s.ranks[1].exited = true;
  s.lanes = {requests(0, 2, 10, 7, 6), requests(2, 0, 4, 4, 4)};
  s.lanes[0].chained = 5;
  const std::string report = hang_report(s, "no progress for 5.0 s");
  EXPECT_THAT(report, HasSubstr("ramjet: no progress for 5.0 s\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  rank +pid +state +waits for +how long\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  0 +1000 +waits in ask +rank 2 +5.0 s\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  1 +1001 +finalized, exited\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  2 +1002 +not in a Ramjet call"));
  EXPECT_THAT(report, testing::ContainsRegex("\n +0 -> 2 +10 +7 +6 +0 +0 +0 +3 +1 +5\n"));
  EXPECT_THAT(report, HasSubstr("in all: 14 sent = 11 received + 3 in flight; 11 received = 10 "
                                "handled + 1 in a handler; 5 chained at their senders\n"));
  EXPECT_THAT(report, Not(HasSubstr("reconcile")));
}

// What a dead rank did last still stands in its memory.
TEST(HangReport, TheDeadDoNotWait) {
  job_snapshot s = joined(4);
  wait(s, 0, "barrier", 3);
  wait(s, 1, "barrier", 3);
  wait(s, 2, "barrier");
  s.ranks[1].state = s.ranks[3].state = rank_state::failed;
  s.ranks[2].exited = true;
  const std::string report = hang_report(s, "x");
  EXPECT_THAT(report, testing::ContainsRegex("\n  0 +1000 +waits in barrier +rank 3 "));
  EXPECT_THAT(report, testing::ContainsRegex("\n  1 +1001 +failed\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  2 +1002 +exited\n"));
  EXPECT_EQ(who_waited_for(s, 3), "rank 0 was waiting for it in barrier for 1.0 s");
  EXPECT_EQ(who_waited_for(s, 0), "");
}

TEST(RanksToAsk, AreOfTheJobAndWaitInThreads) {
  job_snapshot s = joined(6);
  for (unsigned rank = 0; rank < 6; ++rank) {
    wait(s, rank, "barrier");
    s.ports[rank].of_threads = true;
    s.ports[rank].threads_answer = rank < 5;
  }
  s.ranks[1].state = rank_state::failed;
  s.ranks[2].exited = true;
  s.ranks[3].state = rank_state::finalized;
  EXPECT_THAT(ranks_to_ask(s), testing::ElementsAre(0u, 4u));
}

TEST(HangReport, NamesTheCallsOfUserLevelThreads) {
  job_snapshot s = joined(3);
  wait(s, 0, "quiesce");
  wait(s, 1, "quiesce", 2);
  wait(s, 2, ramjet::detail::kThreadsWait);
  s.ports[1].of_threads = s.ports[2].of_threads = true;
  const std::string report = hang_report(s, "x");
  EXPECT_THAT(report, testing::ContainsRegex("\n  0 +1000 +waits in quiesce +any "));
  EXPECT_THAT(report, testing::ContainsRegex(
                          "\n  1 +1001 +waits in quiesce of a user-level thread +rank 2 "));
  EXPECT_THAT(report, testing::ContainsRegex("\n  2 +1002 +waits in user-level threads +any "));
  EXPECT_EQ(who_waited_for(s, 2),
            "rank 1 was waiting for it in quiesce of a user-level thread for 1.0 s, and one other "
            "waited");
}

TEST(HangReport, SaysWhereAllRanksAreInOneCallAndSomeHaveThreads) {
  job_snapshot s = joined(2);
  wait(s, 0, "quiesce");
  wait(s, 1, "quiesce");
  s.ports[1].of_threads = true;
  EXPECT_THAT(diagnosis(s), HasSubstr("but some with user-level threads that wait, too: rank 0 in "
                                      "quiesce, rank 1 in quiesce of a user-level thread"));
  s.ports[0].of_threads = true;
  EXPECT_THAT(diagnosis(s), HasSubstr("(ranks 0 and 1 in quiesce of a user-level thread)"));
}

TEST(HangReport, SaysWhenCountersCannotBe) {
  job_snapshot s = joined(2);
  s.lanes = {requests(0, 1, 1, 5, 5)};
  EXPECT_THAT(hang_report(s, "x"), HasSubstr("do not reconcile"));
  s.moving = true;
  EXPECT_THAT(hang_report(s, "x"), HasSubstr("the job moves"));
}

TEST(HangReport, NamesPortsWhereThereAreSeveral) {
  job_snapshot s = joined(2, 2);
  wait(s, 3, "call", 0);
  s.lanes = {requests(3, 0, 1, 0, 0)};
  const std::string report = hang_report(s, "x");
  EXPECT_THAT(report, testing::ContainsRegex("\n  1.1 +1001 +waits in call +rank 0"));
  EXPECT_THAT(report, HasSubstr("  1.1 -> 0.0 "));
}

TEST(HangReport, LargeJobsShareRowsAndShowTheFullestLanes) {
  constexpr unsigned kRanks = 200;
  job_snapshot s = joined(kRanks);
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    if (rank != 77) wait(s, rank, "barrier", -1, kSecond + rank);
    s.lanes.push_back(requests(rank, (rank + 1) % kRanks, 100, rank == 76 ? 10 : 100, 10));
  }
  const std::string report = hang_report(s, "x");
  EXPECT_THAT(report, HasSubstr("ranks 0-76 and 78-199"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  77 +1077 +not in a Ramjet call"));
  EXPECT_THAT(report, HasSubstr("... and 136 more pairs with traffic"));
  EXPECT_LT(std::count(report.begin(), report.end(), '\n'), 80);
}

TEST(HangReport, BeforeTheRanksHaveALayout) {
  job_snapshot s = joined(2);
  s.ports.clear();
  s.ranks[0].state = s.ranks[1].state = rank_state::absent;
  EXPECT_EQ(diagnosis(s), "");
  EXPECT_THAT(hang_report(s, "x"), testing::ContainsRegex("\n  1 +1001 +has not joined yet\n"));
}

TEST(HangReport, ARankThatIsJoiningIsNotTheOneTheOthersWaitFor) {
  job_snapshot s = joined(3);
  s.ports.clear();
  for (auto& rank : s.ranks) rank.state = rank_state::absent;
  s.ranks[0].has_come = s.ranks[1].has_come = true;
  const std::string report = hang_report(s, "x");
  EXPECT_THAT(report, testing::ContainsRegex("\n  0 +1000 +waits for the others to join\n"));
  EXPECT_THAT(report, HasSubstr("likely: rank 2 has not joined the job"));
}

TEST(HangReport, ShowsTheNodeOfEachRankWhereThereAreSeveral) {
  job_snapshot s = joined(4);
  s.nodes = 2;
  s.ranks[2].node = s.ranks[3].node = 1;
  wait(s, 3, "call", 0, 5 * kSecond);
  const std::string report = hang_report(s, "x");
  EXPECT_THAT(report, testing::ContainsRegex("\n  rank +node +pid +state +waits for +how long\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  1 +0 +1001 +not in a Ramjet call"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  3 +1 +1003 +waits in call +rank 0 +5.0 s\n"));
}

TEST(HangReport, RowsThatRanksShareNameAllTheirNodes) {
  constexpr unsigned kRanks = 90;
  job_snapshot s = joined(kRanks);
  s.nodes = 3;
  for (unsigned rank = 0; rank < kRanks; ++rank) {
    s.ranks[rank].node = rank / 30;
    if (rank != 77) wait(s, rank, "barrier");
  }
  const std::string report = hang_report(s, "x");
  EXPECT_THAT(report, testing::ContainsRegex("\n  ranks 0-76 and 78-89 0-2 +waits in barrier"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  77 +2 +1077 +not in a Ramjet call"));
}

// Node 0 of two as its rank 1 sees it: rank 0 waits for rank 3, which is on node 1 with rank 2.
job_snapshot seen_from_node_0() {
  job_snapshot s = joined(4);
  s.nodes = 2;
  for (unsigned rank : {2u, 3u}) {
    s.ranks[rank] = {};
    s.ranks[rank].state = rank_state::joined;
    s.ranks[rank].node = 1;
    s.ranks[rank].seen = false;
    s.ports[rank].open = false;
  }
  wait(s, 0, "call", 3, 5 * kSecond);
  s.lanes = {requests(0, 1, 2, 1, 1), requests(0, 3, 7, 0, 0), requests(3, 1, 0, 4, 4)};
  s.lanes[1].to_seen = s.lanes[2].from_seen = false;
  return s;
}

TEST(HangReport, OfANodeNamesFarRanksThatAreWaitedFor) {
  const std::string report = hang_report(seen_from_node_0(), "x");
  EXPECT_THAT(report, testing::ContainsRegex("\n  0 +0 +1000 +waits in call +rank 3 +5.0 s\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n  3 +1 +not seen from this node\n"));
  EXPECT_THAT(report, Not(testing::ContainsRegex("\n  2 ")));
}

TEST(HangReport, OfANodeCountsOnlyWhatItSees) {
  const std::string report = hang_report(seen_from_node_0(), "x");
  EXPECT_THAT(report,
              testing::ContainsRegex("\n +0 -> 3 +7 +[?] +[?] +0 +[?] +[?] +[?] +[?] +0\n"));
  EXPECT_THAT(report, testing::ContainsRegex("\n +3 -> 1 +[?] +4 +4 +[?] +0 +0 +[?] +0 +[?]\n"));
  EXPECT_THAT(report, HasSubstr("in all within the node: 2 sent = 1 received + 1 in flight; 1 "
                                "received = 1 handled + 0 in a handler"));
  EXPECT_THAT(report, Not(HasSubstr("reconcile")));
}

TEST(Diagnosis, OfANodePointsToTheOtherNode) {
  job_snapshot s = seen_from_node_0();
  EXPECT_THAT(diagnosis(s), HasSubstr("rank 1 does not poll: 1 message waits there"));
  s.lanes.clear();
  wait(s, 1, "barrier");
  EXPECT_EQ(diagnosis(s), "rank 0 waits in call for rank 3 on node 1: see the report from there");
  wait(s, 0, "barrier");
  EXPECT_EQ(diagnosis(s), "all ranks of this node wait: ranks 0 and 1 in barrier");
  s.ranks[3].state = rank_state::finalized;
  wait(s, 0, "call", 3);
  EXPECT_EQ(diagnosis(s), "rank 0 waits in call for rank 3, which has left the job");
}

TEST(WhoWaitedFor, PrefersThoseWhoWaitedForThisRank) {
  job_snapshot s = joined(4);
  EXPECT_EQ(who_waited_for(s, 3), "");
  wait(s, 0, "barrier", -1, 9 * kSecond);
  EXPECT_EQ(who_waited_for(s, 3), "rank 0 was waiting in barrier for 9.0 s");
  wait(s, 1, "call", 3, kSecond);
  wait(s, 2, "call", 3, 2 * kSecond);
  EXPECT_EQ(who_waited_for(s, 3),
            "rank 2 was waiting for it in call for 2.0 s, and 2 others waited");
}

TEST(WhoWaited, NamesAFewRanks) {
  job_snapshot s = joined(6);
  wait(s, 0, "call", 1);
  s.ranks[2].state = rank_state::finalized;
  s.ranks[3].exited = true;
  s.ranks[4].state = rank_state::absent;
  EXPECT_EQ(who_waited(s),
            "rank 0 was waiting for rank 1 in call for 1.0 s, rank 1 was not in a Ramjet call, "
            "rank 2 had finalized, rank 4 had not joined the job, and 1 more");
}

}  // namespace
