// SPDX-License-Identifier: Apache-2.0
// Starting and stopping workers, again and again, with other options each time.
#include <vector>

#include "workers.hpp"

namespace {

using namespace std::chrono_literals;

std::size_t touch(std::size_t bytes) {
  volatile char* room = static_cast<volatile char*>(__builtin_alloca(bytes));
  for (std::size_t i = 0; i < bytes; i += 1024) room[i] = 1;
  return bytes;
}

TEST(restart, after_threads_that_ended_elsewhere) {
  for (unsigned round = 0; round < 10; ++round) {
    EXPECT_EQ(ult::workers(1 + round % 4), 1 + round % 4);
    std::atomic<unsigned> ran{0};
    std::vector<ult::thread<>> all;
    for (unsigned i = 0; i < 64; ++i)
      all.push_back(ult::spawn({.worker = int(i % ult::workers())},
                               [&] { ult::spawn([&] { ++ran; }).join(); }));
    all.clear();
    EXPECT_EQ(ran, 64u);
  }
  ult::stop();
  EXPECT_EQ(ult::workers(), 1u);
}

// The stacks that worker 0 has kept are of the size that was the usual one before.
TEST(restart, with_larger_stacks) {
  for (const std::size_t bytes : {32u * 1024, 256u * 1024, 16u * 1024, 512u * 1024}) {
    ult::start({.workers = 2, .stack_bytes = bytes});
    for (int i = 0; i < 10; ++i) {
      auto t = ult::spawn({.worker = i % 2}, touch, bytes - 12 * 1024);
      EXPECT_EQ(t.join(), bytes - 12 * 1024);
    }
    ult::stop();
  }
}

// A thread that only yields leaves its worker to the one that stops it.
TEST(restart, beside_threads_that_do_not_end) {
  ult::start({.workers = 2});
  static std::atomic<bool> running{false};
  for (int i = 0; i < 2; ++i)
    ult::spawn({.worker = 1}, [] {
      for (;;) {
        running = true;
        ult::this_thread::yield();
      }
    }).detach();
  ult::wait_until(ult::value(running) == true);
  const auto begin = std::chrono::steady_clock::now();
  ult::stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 20s);
  EXPECT_EQ(ult::workers(), 1u);
}

}  // namespace
