// SPDX-License-Identifier: Apache-2.0
#include "ramjet/ult/node.hpp"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace ramjet::ult {

namespace {

// Who the running thread is, among all processes.
std::uint64_t me() {
  return std::uint64_t(std::uint32_t(::getpid())) << 32 | detail::open_worker()->self->id;
}

bool is_dead(std::uint64_t holder) { return ::kill(pid_t(holder >> 32), 0) != 0 && errno == ESRCH; }

}  // namespace

bool node_mutex::try_lock() noexcept {
  std::uint64_t free = 0;
  return word_.compare_exchange_strong(free, me(), std::memory_order_acquire,  // pairs: ult.node
                                       std::memory_order_relaxed);
}

bool node_mutex::lock() {
  constexpr auto kLook = std::chrono::milliseconds(100);
  while (!try_lock()) {
    std::uint64_t holder = word_.load(std::memory_order_relaxed);
    RAMJET_CHECK(holder != me(), "node_mutex: this thread holds it already");
    if (holder != 0 && is_dead(holder)) {
      if (word_.compare_exchange_strong(holder, me(), std::memory_order_acquire,  // pairs: ult.node
                                        std::memory_order_relaxed))
        return false;
      continue;
    }
    detail::wait_for_any<detail::uncancellable>(value(word_) == 0, after(kLook));
  }
  return true;
}

void node_mutex::unlock() {
  RAMJET_CHECK(word_.load(std::memory_order_relaxed) == me(),
               "node_mutex: unlock by a thread that does not hold it");
  word_.store(0, std::memory_order_release);  // pairs: ult.node
}

bool node_semaphore::try_acquire() noexcept {
  std::int64_t now = units_.load(std::memory_order_relaxed);
  while (now > 0)
    if (units_.compare_exchange_weak(now, now - 1, std::memory_order_acquire,  // pairs: ult.node
                                     std::memory_order_relaxed))
      return true;
  return false;
}

void node_semaphore::acquire() {
  while (!try_acquire()) wait_until(value(units_) > 0);
}

}  // namespace ramjet::ult
