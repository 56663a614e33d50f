// SPDX-License-Identifier: Apache-2.0
// Counters of children, by events that the kernel counts itself: those of the processor are not
// there on every machine.
#include "papers/study/native/hardware.hpp"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/resource.h>

#include "languages/support/toolchain/processes.hpp"

namespace {

using study::hardware_counters;
using study::hardware_counts;
using study::hardware_events;

constexpr std::uint32_t kNoSuchKind = 0x7fffffff;
constexpr hardware_events kByTheKernel = {
    {{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
     {"absent", kNoSuchKind, 0},
     {"nanoseconds", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
     {"switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES}}};

long faults_of_children() {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  return used.ru_minflt + used.ru_majflt;
}

void run(const char* script) { frontend::run({"/bin/sh", "-c", script}, true); }

TEST(Hardware, ChildrenAreCountedAndTheirChildren) {
  hardware_counters counters(kByTheKernel);
  if (counters.missing().find("faults") != std::string::npos)
    GTEST_SKIP() << "this kernel counts nothing: " << counters.missing();
  const long before = faults_of_children();
  run("true");
  const hardware_counts one = counters.take();
  const auto faults = double(faults_of_children() - before);
  ASSERT_TRUE(one[0] && one[2]);
  EXPECT_GT(*one[0], 0);
  EXPECT_LE(*one[0], faults);
  EXPECT_GT(*one[2], 0);
  // Ten more processes, each a child of the shell.
  run("for i in 1 2 3 4 5 6 7 8 9 10; do /bin/sh -c : ; done");
  const hardware_counts more = counters.take();
  ASSERT_TRUE(more[0]);
  EXPECT_GT(*more[0], 5 * *one[0]);
}

TEST(Hardware, WhatRanBeforeAndHereIsNotCounted) {
  run("for i in 1 2 3 4 5 6 7 8 9 10; do /bin/sh -c : ; done");
  hardware_counters counters(kByTheKernel);
  std::vector<char> touched(1 << 24, 'x');
  EXPECT_EQ(touched.back(), 'x');
  for (const auto& count : counters.take()) EXPECT_FALSE(count);
}

TEST(Hardware, WhatTheKernelDoesNotCountIsMissingAndNamed) {
  hardware_counters counters(kByTheKernel);
  run("true");
  EXPECT_FALSE(counters.take()[1]);
  EXPECT_NE(counters.missing().find("absent"), std::string::npos);
  EXPECT_NE(counters.missing().find(": "), std::string::npos);
}

}  // namespace
