// SPDX-License-Identifier: Apache-2.0
// Sleeping on a word in shared memory, and the barrier that a sleeper imposes on everyone else so
// that senders need none (an asymmetric fence: the sleeper pays).
#pragma once

#include <atomic>
#include <cstdint>

namespace ramjet::base {

// Sleeps while *w == expected, at most `timeout_ns`. May return early.
void futex_wait(std::atomic<std::uint32_t>& w, std::uint32_t expected,
                std::uint64_t timeout_ns) noexcept;

// Wakes everyone who sleeps on the word.
void futex_wake(std::atomic<std::uint32_t>& w) noexcept;

// Registers this process for global_barrier; false if the kernel or a sandbox refuses.
bool register_for_barrier() noexcept;

// After it, every registered thread on the machine has passed a full memory barrier since the call
// began: 0.35-4 us. Only after register_for_barrier() returned true.
void global_barrier() noexcept;

}  // namespace ramjet::base
