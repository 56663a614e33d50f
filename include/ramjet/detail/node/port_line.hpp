// SPDX-License-Identifier: Apache-2.0
// Ports: where the ranks of a node sleep and are woken, and what they show of their waits. A *port*
// is one endpoint of one rank; it is numbered rank * endpoints + endpoint.
#pragma once

#include <atomic>
#include <cstdint>

#pragma GCC visibility push(default)

namespace ramjet::detail {

inline constexpr unsigned kPortsMax = 1024;  // ranks x endpoints of a job

// The wait_name of a port whose user-level threads all wait for each other or for results of calls.
inline constexpr const char* kThreadsWait = "user-level threads";

// Whose wait a port shows: its owner's (kOwnerWaits), or that of user-level threads, all of which
// wait (kThreadsDoWait). kThreadsAnswer: the process also lists the wait of each of its threads
// when it gets SIGUSR1.
enum waiting_threads : std::uint32_t { kOwnerWaits = 0, kThreadsDoWait = 1, kThreadsAnswer = 2 };

// Goes from kUnopened to one that is open and on to kClosed: an index is opened once in a job. One
// word, so that a sender that reads it while its owner opens it sees no end that has not come.
enum port_state : std::uint32_t { kUnopened = 0, kOpen = 1, kOpenCoprocessor = 2, kClosed = 3 };

// One per port. `asleep` is a futex word: the owner writes it before it sleeps, and a thread that
// has something for the owner reads it and wakes it (node/wake.hpp). `rings` counts what others
// have left for the owner, who checks for it only when the count has changed. The owner writes the
// rest, which hang reports show.
struct alignas(64) port_line {
  std::atomic<std::uint32_t> asleep;
  std::atomic<std::uint32_t> rings;
  std::atomic<std::uint32_t> waiting;  // 1 while the fields below describe a wait in progress
  std::atomic<std::int32_t> wait_target;  // rank waited for, -1: any
  std::atomic<std::uint32_t> state;  // port_state
  std::atomic<std::uint32_t> wait_threads;  // waiting_threads
  std::atomic<std::uint64_t> wait_since_ns;  // CLOCK_MONOTONIC
  std::atomic<std::uint64_t> wait_name[4];  // the name of the call, NUL-padded
};
static_assert(sizeof(port_line) == 64);

// The owner opens the port; false if it is open or was before.
inline bool open_port(port_line& port, port_state as) noexcept {
  std::uint32_t unopened = kUnopened;
  return port.state.compare_exchange_strong(unopened, as, std::memory_order_relaxed);
}
// The owner closes it, once it has taken all that it will ever take.
inline void close_port(port_line& port) noexcept {
  port.state.store(kClosed, std::memory_order_release);  // pairs: am.closed
}
// Of another rank's port on this node. One that is still to be opened is not closed: what is sent
// to it waits.
inline bool is_closed(const port_line& port) noexcept {
  return port.state.load(std::memory_order_acquire) == kClosed;  // pairs: am.closed
}
inline bool was_opened(const port_line& port) noexcept {
  return port.state.load(std::memory_order_relaxed) != kUnopened;
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
