// SPDX-License-Identifier: Apache-2.0
#include "base/futex.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace ramjet::base {

void futex_wait(std::atomic<std::uint32_t>& w, std::uint32_t expected,
                std::uint64_t timeout_ns) noexcept {
  timespec t;
  t.tv_sec = time_t(timeout_ns / 1'000'000'000);
  t.tv_nsec = long(timeout_ns % 1'000'000'000);
  syscall(SYS_futex, &w, FUTEX_WAIT, expected, &t, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& w) noexcept {
  syscall(SYS_futex, &w, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

bool register_for_barrier() noexcept {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0, 0) == 0;
}

void global_barrier() noexcept { syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0, 0); }

}  // namespace ramjet::base
