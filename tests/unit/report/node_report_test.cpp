// SPDX-License-Identifier: Apache-2.0
// Hang reports that ranks print themselves. This process plays every rank of its node.
#include "report/node_report.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../region_offset.hpp"
#include "base/clock.hpp"
#include "base/system.hpp"

namespace {

using namespace ramjet::report;
using ramjet::detail::port_line;
using testing::ContainsRegex;
using testing::HasSubstr;

// Ranks 0 and 1 are of node 0, rank 2 is of node 1. Rank 0 waits for rank 2 in a call.
class NodeReport : public testing::Test {
 protected:
  static constexpr unsigned kRanks = 3;

  NodeReport() {
    layout = make_geometry(kRanks, 1, 4096);
    object = ramjet::base::open_memory_file();
    EXPECT_EQ(::ftruncate(object, off_t(layout.total_bytes)), 0);
    memory = ::mmap(nullptr, layout.segments_offset, PROT_READ | PROT_WRITE, MAP_SHARED, object, 0);
    EXPECT_NE(memory, MAP_FAILED);
    board* b = format_board(memory, kRanks, failure_policy::abort, 0, node_of, 0);
    b->layout = layout;
    b->layout_state.store(2, std::memory_order_release);
    for (unsigned rank = 0; rank < kRanks; ++rank) {
      rank_lines(b)[rank].state = std::uint32_t(rank_state::joined);
      if (node_of[rank] == 0) rank_lines(b)[rank].pid = std::uint32_t(::getpid());
    }
    auto* ports =
        reinterpret_cast<port_line*>(static_cast<std::byte*>(memory) + ports_offset(layout));
    ports[0].state = ports[1].state = ramjet::detail::kOpen;
    ports[0].waiting = 1;
    ports[0].wait_target = 2;
    ports[0].wait_since_ns = 1;
    std::memcpy(static_cast<void*>(ports[0].wait_name), "call", 4);
  }
  ~NodeReport() override {
    ::munmap(memory, layout.segments_offset);
    ::close(object);
  }

  membership as_rank(int rank) {
    membership job;
    job.rank = rank;
    job.ranks = kRanks;
    job.shared = static_cast<board*>(memory);
    job.layout = layout;
    job.nodes = 2;
    job.node_of = node_of;
    return job;
  }
  static std::string told_by(node_report& report) {
    testing::internal::CaptureStderr();
    report.check();
    return testing::internal::GetCapturedStderr();
  }

  const std::vector<std::uint16_t> node_of{0, 0, 1};
  geometry layout;
  int object = -1;
  void* memory = nullptr;
};

TEST_F(NodeReport, IsSilentUntilAsked) {
  const membership job = as_rank(1);
  node_report report(job, ::dup(object));
  EXPECT_EQ(report.next_check_ns(), 0u);
  EXPECT_EQ(told_by(report), "");
}

TEST_F(NodeReport, AnswersASignalOnceForAllRanksOfTheNode) {
  const membership zero = as_rank(0), one = as_rank(1);
  node_report first(zero, ::dup(object)), second(one, ::dup(object));
  ::raise(SIGUSR1);
  const std::string told = told_by(second);
  EXPECT_THAT(told, ContainsRegex("^ramjet: SIGUSR1: what ranks 0 and 1 on node 0 [(].+[)] are "
                                  "doing\n"));
  EXPECT_THAT(told, ContainsRegex("\n  0 +0 +[0-9]+ +waits in call +rank 2 "));
  EXPECT_THAT(told, ContainsRegex("\n  2 +1 +not seen from this node\n"));
  std::atomic<std::uint64_t>& reported_ns = static_cast<board*>(memory)->reported_ns;
  EXPECT_NE(reported_ns, 0u);
  reported_ns += 3'600'000'000'000;  // just now, however long the next look takes to come
  ::raise(SIGUSR1);
  EXPECT_EQ(told_by(first), "");
  reported_ns = 1;  // long ago
  ::raise(SIGUSR1);
  EXPECT_THAT(told_by(first), HasSubstr("SIGUSR1"));
}

// The thread that tells also sees deaths, and the end of the job waits for it.
TEST_F(NodeReport, GoesOnWhereNobodyReadsTheErrors) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_NONBLOCK), 0);
  const std::string filling(65536, '.');
  while (::write(pipe[1], filling.data(), filling.size()) > 0) {
  }
  ASSERT_EQ(::fcntl(pipe[1], F_SETFL, 0), 0);
  const int errors = ::dup(STDERR_FILENO);
  ::dup2(pipe[1], STDERR_FILENO);
  std::atomic<bool> is_over = false;
  std::thread reads_late([&] {  // so that this test ends where the report waits for it
    for (int i = 0; i < 1000 && !is_over; ++i) ::usleep(10'000);
    char part[65536];
    while (!is_over && ::read(pipe[0], part, sizeof part) != 0) ::usleep(1000);
  });
  const membership job = as_rank(0);
  node_report report(job, ::dup(object));
  ::raise(SIGUSR1);
  const std::uint64_t begin_ns = ramjet::base::now_ns();
  report.check();
  const std::uint64_t took_ns = ramjet::base::now_ns() - begin_ns;
  is_over = true;
  reads_late.join();
  ::dup2(errors, STDERR_FILENO);
  for (const int fd : {errors, pipe[0], pipe[1]}) ::close(fd);
  EXPECT_LT(took_ns, 8'000'000'000u);
}

TEST_F(NodeReport, TellsOfAStandstillByTheFirstRankThatRuns) {
  membership zero = as_rank(0), one = as_rank(1);
  zero.settings.explain_after_ms = one.settings.explain_after_ms = 1;
  node_report first(zero, ::dup(object)), second(one, ::dup(object));
  testing::internal::CaptureStderr();
  for (int i = 0; i < 5; ++i) {
    ::usleep(11'000);
    second.check();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  testing::internal::CaptureStderr();
  for (int i = 0; i < 5; ++i) {
    ::usleep(11'000);
    first.check();
  }
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_THAT(told, HasSubstr("ramjet: no progress for 1 ms: what ranks 0 and 1 on node 0 ("));
  EXPECT_EQ(told.find("no progress"), told.rfind("no progress"));
}

TEST_F(NodeReport, TheSecondRankSpeaksWhenTheFirstHasLeft) {
  membership one = as_rank(1);
  one.settings.explain_after_ms = 1;
  one.line(0).state = std::uint32_t(rank_state::finalized);
  auto* ports =
      reinterpret_cast<port_line*>(static_cast<std::byte*>(memory) + ports_offset(layout));
  ports[0].waiting = 0;
  ports[1].waiting = 1;
  ports[1].wait_target = 0;
  node_report report(one, ::dup(object));
  testing::internal::CaptureStderr();
  for (int i = 0; i < 5; ++i) {
    ::usleep(11'000);
    report.check();
  }
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("for rank 0, which has left"));
}

}  // namespace
