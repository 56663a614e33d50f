// SPDX-License-Identifier: Apache-2.0
// A test case that runs with several numbers of workers, and what many cases need.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>

#include "ramjet/ult.hpp"

// The sanitizers run some ten times slower, and the thread sanitizer knows some 8000 threads.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

namespace ult = ramjet::ult;

class with_workers : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    ult::start({.workers = GetParam()});
    ASSERT_EQ(ult::workers(), GetParam());
  }
  void TearDown() override { ult::stop(); }
};

// Instantiates the cases of a suite. Worker counts above that of the processors are meant.
#define RAMJET_WITH_WORKERS(suite)                                      \
  INSTANTIATE_TEST_SUITE_P(workers, suite, testing::Values(1u, 2u, 4u), \
                           [](const auto& its) { return std::to_string(its.param); })

// Lets others run until the test holds; for what the library gives no wait for.
template <class Test>
void yield_until(Test&& holds) {
  while (!holds()) ult::this_thread::yield();
}
