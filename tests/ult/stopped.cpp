// SPDX-License-Identifier: Apache-2.0
// Threads that wait, and then a stop for the debugger, for gdb_test.py.
#include <csignal>

#include "ramjet/ult.hpp"

namespace ult = ramjet::ult;

namespace {

ult::semaphore never(0);
ult::mutex held;

__attribute__((noinline)) void wait_in_the_dark(int depth) {
  if (depth != 0)
    wait_in_the_dark(depth - 1);
  else
    never.acquire();
  asm volatile("");  // not a tail call
}

}  // namespace

int main() {
  held.lock();
  auto first = ult::spawn({.name = "first"}, wait_in_the_dark, 2);
  auto second = ult::spawn({.name = "second"}, [] { held.lock(); });
  ult::this_thread::yield();
  auto lends = ult::spawn({.name = "lends"}, [] {
    auto borrows = ult::spawn({.name = "borrows"}, [] { never.acquire(); });
    borrows.join();
  });
  ult::this_thread::yield();
  auto third = ult::spawn({.name = "third"}, [] {});
  std::raise(SIGTRAP);
  held.unlock();
  never.release(2);
  second.join();
  lends.join();
  third.join();
}
