// SPDX-License-Identifier: Apache-2.0
// A mutex and a semaphore for memory that several processes of a machine share: a segment of the
// global address space, or any other mapping. Threads that wait post the condition on the word
// itself, so that whichever process changes it wakes them as its scheduler passes. Nothing is
// handed over across processes: the first to see it free has it.
#pragma once

#include <atomic>
#include <cstdint>

#include "ramjet/ult/condition.hpp"

#pragma GCC visibility push(default)

namespace ramjet::ult {

// Zeroed memory is a free mutex. The processes see each other's process ids (one pid namespace).
class node_mutex {
 public:
  constexpr node_mutex() = default;
  node_mutex(const node_mutex&) = delete;
  node_mutex& operator=(const node_mutex&) = delete;

  // Waits until it is free. false: it was taken over from a process that died with it; what it
  // protects may be half changed. A dead holder is noticed within 100 ms.
  bool lock();
  bool try_lock() noexcept;
  // By the thread that holds it; ends the process in any other.
  void unlock();

 private:
  std::atomic<std::uint64_t> word_{0};  // process id << 32 | which thread; 0: free
};

// Zeroed memory is a semaphore without units. A unit that a process has taken is lost if the
// process dies.
class node_semaphore {
 public:
  constexpr explicit node_semaphore(std::int64_t units = 0) : units_(units) {}
  node_semaphore(const node_semaphore&) = delete;
  node_semaphore& operator=(const node_semaphore&) = delete;

  // A cancellation point.
  void acquire();
  bool try_acquire() noexcept;
  void release(std::int64_t units = 1) noexcept {
    units_.fetch_add(units, std::memory_order_release);  // pairs: ult.node
  }

 private:
  std::atomic<std::int64_t> units_;
};

static_assert(sizeof(node_mutex) == 8 && sizeof(node_semaphore) == 8);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

}  // namespace ramjet::ult

#pragma GCC visibility pop
