// SPDX-License-Identifier: Apache-2.0
#include "launch/cores.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../temporary_folder.hpp"
#include "base/cpus.hpp"

namespace {

namespace fs = std::filesystem;
using ramjet::launcher::binding;
using ramjet::launcher::core_claims;
using ramjet::launcher::core_sets;
using ramjet::launcher::core_wish;
using ramjet::launcher::plan_cores;
using ramjet::launcher::share_out;
using ramjet::launcher::spread_over_cores;
using testing::Test;

// A made-up machine: /sys/devices/system/cpu with the siblings of each CPU.
class FakeTopology : public Test {
 protected:
  void cpu(int number, const std::string& siblings) {
    const fs::path topology = folder_.path() + "/cpu" + std::to_string(number) + "/topology";
    fs::create_directories(topology);
    std::ofstream(topology / "thread_siblings_list") << siblings << "\n";
  }
  std::vector<int> spread(const std::vector<int>& cpus, std::size_t count) {
    return spread_over_cores(cpus, count, folder_.path());
  }

  temporary_folder folder_;
};

TEST_F(FakeTopology, PhysicalCoresComeBeforeHyperthreads) {
  for (int core = 0; core < 4; ++core) {  // threads of a core are neighbours
    const std::string siblings = std::to_string(2 * core) + "-" + std::to_string(2 * core + 1);
    cpu(2 * core, siblings);
    cpu(2 * core + 1, siblings);
  }
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(spread(all, 4), (std::vector{0, 2, 4, 6}));
  EXPECT_EQ(spread(all, 6), (std::vector{0, 2, 4, 6, 1, 3}));
  EXPECT_EQ(spread(all, 99), (std::vector{0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST_F(FakeTopology, OnlyAllowedCpusAreTaken) {
  for (int core = 0; core < 4; ++core) {  // threads of a core are far apart
    const std::string siblings = std::to_string(core) + "," + std::to_string(core + 4);
    cpu(core, siblings);
    cpu(core + 4, siblings);
  }
  EXPECT_EQ(spread({1, 5, 6}, 2), (std::vector{1, 6}));
  EXPECT_EQ(spread({1, 5, 6}, 3), (std::vector{1, 6, 5}));
}

TEST_F(FakeTopology, WithoutTopologyEveryCpuIsACore) {
  EXPECT_EQ(spread({3, 4, 9}, 2), (std::vector{3, 4}));
}

TEST_F(FakeTopology, RanksWithSeveralCpusGetNeighbours) {
  for (int core = 0; core < 4; ++core) {  // threads of a core are far apart
    const std::string siblings = std::to_string(core) + "," + std::to_string(core + 4);
    cpu(core, siblings);
    cpu(core + 4, siblings);
  }
  const std::vector<int> all{0, 1, 2, 3, 4, 5, 6, 7};
  const auto shared = [&](unsigned ranks, std::size_t each) {
    return share_out(all, ranks, each, folder_.path());
  };
  EXPECT_EQ(shared(2, 4), (core_sets{{0, 4, 1, 5}, {2, 6, 3, 7}}));
  EXPECT_EQ(shared(3, 2), (core_sets{{0, 4}, {1, 5}, {2, 6}}));
  EXPECT_EQ(shared(4, 1), (core_sets{{0}, {1}, {2}, {3}}));  // not two on a physical core
}

core_sets planned(const core_wish& wish, unsigned ranks, core_claims& claims) {
  core_sets plan;
  EXPECT_FALSE(plan_cores(wish, ranks, claims, plan));
  return plan;
}
unsigned all_cores() { return unsigned(ramjet::base::allowed_cpus().size()); }

TEST(PlanCores, NoneBindsNothing) {
  core_claims claims;
  EXPECT_TRUE(planned({binding::none, 0}, 1, claims).empty());
}

TEST(PlanCores, OneRankHasAllCoresAndClaimsNone) {
  core_claims claims;
  EXPECT_TRUE(planned({}, 1, claims).empty());
}

TEST(PlanCores, ByDefaultOnlyIfThereAreEnoughCores) {
  core_claims claims;
  EXPECT_TRUE(planned({}, all_cores() + 1, claims).empty());
}

TEST(PlanCores, OnRequestInTurn) {
  core_claims claims;
  const unsigned ranks = 2 * all_cores() + 1;
  const core_sets plan = planned({binding::core, 0}, ranks, claims);
  ASSERT_EQ(plan.size(), ranks);
  for (unsigned rank = 0; rank + all_cores() < ranks; ++rank) {
    EXPECT_EQ(plan[rank].size(), 1u);
    EXPECT_EQ(plan[rank], plan[rank + all_cores()]);
  }
}

TEST(PlanCores, SoManyForEachRank) {
  core_claims claims;
  const core_sets whole = planned({binding::automatic, all_cores()}, 1, claims);
  ASSERT_EQ(whole.size(), 1u);
  EXPECT_EQ(whole[0].size(), all_cores());
  core_sets plan;
  const ramjet::launcher::problem p =
      plan_cores({binding::automatic, all_cores()}, 2, claims, plan);
  EXPECT_EQ(p.exit_status, ramjet::launcher::kUsageStatus);
  EXPECT_NE(p.sentence.find("start fewer ranks"), std::string::npos) << p.sentence;
}

TEST(CoreClaims, AreSeenByOthers) {
  const int cpu = 1'000'000 + ::getpid();  // no core: no job claims it
  EXPECT_FALSE(core_claims::is_claimed(cpu));
  core_claims claims;
  ASSERT_TRUE(claims.claim(cpu));
  EXPECT_TRUE(core_claims::is_claimed(cpu));
  EXPECT_FALSE(core_claims().claim(cpu));
  claims.release_all();
  EXPECT_FALSE(core_claims::is_claimed(cpu));
}

// A job that starts while others look for what is left over gets its cores all the same.
TEST(CoreClaims, AreNotTakenByALook) {
  const int cpu = 1'000'000 + ::getpid();
  std::atomic<bool> end = false;
  std::thread looking([&] {
    while (!end.load()) core_claims::is_claimed(cpu);
  });
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) refused += core_claims().claim(cpu) ? 0 : 1;
  end = true;
  looking.join();
  EXPECT_EQ(refused, 0);
}

// Nor is a claim that is over kept up by a process that still refers to its socket, as any does for
// a moment that reads the descriptors of its holder.
TEST(CoreClaims, EndThoughOthersReferToThem) {
  const int cpu = 1'000'000 + ::getpid();
  core_claims claims;
  ASSERT_TRUE(claims.claim(cpu));
  int until[2];
  ASSERT_EQ(::pipe(until), 0);
  const pid_t referring = ::fork();
  if (referring == 0) {
    ::close(until[1]);
    char byte;
    ::_exit(int(::read(until[0], &byte, 1)));
  }
  ::close(until[0]);
  claims.release_all();
  EXPECT_FALSE(core_claims::is_claimed(cpu));
  std::thread ending([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ::close(until[1]);
  });
  EXPECT_TRUE(core_claims().claim(cpu));
  ending.join();
  EXPECT_EQ(::waitpid(referring, nullptr, 0), referring);
}

TEST(PlanCores, NoClaimedCoreIsLeftOver) {
  const std::vector<int> before = ramjet::launcher::unclaimed_cores();
  core_claims claims;
  if (before.empty() || !claims.claim(before[0])) GTEST_SKIP() << "jobs use all cores";
  EXPECT_EQ(std::ranges::count(ramjet::launcher::unclaimed_cores(), before[0]), 0);
}

TEST(CoreClaims, OneHolderAtATime) {
  const int no_such_cpu = 1'000'000 + ::getpid();  // that no job claims, and no other test
  core_claims first, second;
  EXPECT_TRUE(first.claim(no_such_cpu));
  EXPECT_FALSE(second.claim(no_such_cpu));
  first.release_all();
  EXPECT_TRUE(second.claim(no_such_cpu));
}

}  // namespace
