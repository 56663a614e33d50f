// SPDX-License-Identifier: Apache-2.0
#include "launcher/cores.hpp"

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
using ramjet::launcher::plan_binding;
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

TEST(PlanBinding, NoneBindsNothing) {
  core_claims claims;
  EXPECT_TRUE(plan_binding(binding::none, 1, claims).empty());
}

TEST(PlanBinding, ByDefaultOnlyIfThereAreEnoughCores) {
  core_claims claims;
  const auto cores = unsigned(ramjet::base::allowed_cpus().size());
  EXPECT_TRUE(plan_binding(binding::automatic, cores + 1, claims).empty());
}

TEST(PlanBinding, OnRequestInTurn) {
  core_claims claims;
  const std::vector<int> cpus = ramjet::base::allowed_cpus();
  const auto ranks = unsigned(2 * cpus.size() + 1);
  const std::vector<int> plan = plan_binding(binding::core, ranks, claims);
  ASSERT_EQ(plan.size(), ranks);
  for (unsigned rank = 0; rank + cpus.size() < ranks; ++rank) {
    EXPECT_EQ(plan[rank], plan[rank + cpus.size()]);
  }
}

TEST(PlanBinding, WhatIsLeftOverFallsToAllRanksAlike) {
  using ramjet::launcher::part_of_spare;
  const std::vector<int> spare{4, 6, 1, 3, 5};
  EXPECT_EQ(part_of_spare(spare, 0, 2), (std::vector{4, 6}));
  EXPECT_EQ(part_of_spare(spare, 1, 2), (std::vector{1, 3}));
  EXPECT_EQ(part_of_spare(spare, 0, 1), spare);
  EXPECT_TRUE(part_of_spare(spare, 5, 6).empty());
  EXPECT_TRUE(part_of_spare({}, 0, 1).empty());
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

TEST(PlanBinding, NoClaimedCoreIsLeftOver) {
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
