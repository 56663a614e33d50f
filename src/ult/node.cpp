// SPDX-License-Identifier: Apache-2.0
#include "ramjet/ult/node.hpp"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

namespace ramjet::ult {

namespace {

// Names the running thread among all processes: its control block lies at a multiple of 64.
std::uint64_t me() {
  const auto at = reinterpret_cast<std::uintptr_t>(detail::open_worker("ult::node_mutex")->self);
  return std::uint64_t(std::uint32_t(::getpid())) << 32 | std::uint32_t(at >> 6);
}

// A process that has ended may wait for its parent to reap it: it is dead, too.
bool is_dead(std::uint64_t holder) {
  const std::string status = "/proc/" + std::to_string(holder >> 32) + "/stat";
  std::FILE* file = std::fopen(status.c_str(), "re");
  if (file == nullptr) return errno == ENOENT;
  char line[256] = {};
  const bool read = std::fgets(line, sizeof line, file) != nullptr;
  std::fclose(file);
  const char* name_end = std::strrchr(line, ')');
  if (!read || name_end == nullptr || name_end[1] == '\0') return false;
  return name_end[2] == 'Z' || name_end[2] == 'X';
}

}  // namespace

bool node_mutex::try_lock() noexcept {
  std::uint64_t free = 0;
  if (word_.compare_exchange_strong(free, me(), std::memory_order_acquire,  // pairs: ult.node
                                    std::memory_order_relaxed))
    return true;
  detail::note_failed_try();
  return false;
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
  detail::note_failed_try();
  return false;
}

void node_semaphore::acquire() {
  while (!try_acquire()) wait_until(value(units_) > 0);
}

}  // namespace ramjet::ult
