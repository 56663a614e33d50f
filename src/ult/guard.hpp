// SPDX-License-Identifier: Apache-2.0
// The guard of a wait queue.
#pragma once

#include "ramjet/ult/detail/wait_queue.hpp"
#include "ult/sanitizers.hpp"

namespace ramjet::ult::detail {

RAMJET_INLINE void wait_queue::lock() noexcept {
  if (worker_mode == one_worker) return;
  if (guard_.exchange(1, std::memory_order_acquire) != 0) [[unlikely]]  // pairs: ult.guard
    lock_slow();
  note_acquire(&guard_);
}

RAMJET_INLINE void wait_queue::unlock() noexcept {
  if (worker_mode == one_worker) return;
  note_release(&guard_);
  guard_.store(0, std::memory_order_release);  // pairs: ult.guard
}

}  // namespace ramjet::ult::detail
