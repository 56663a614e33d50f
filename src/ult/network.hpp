// SPDX-License-Identifier: Apache-2.0
// What the message layer lends to workers: how to poll, and how to wait when nothing is ready. A
// worker uses it while its system thread has an endpoint.
#pragma once

#include <cstdint>

namespace ramjet::ult::detail {

#pragma GCC visibility push(default)  // as their definitions say, whichever comes first
struct worker;
#pragma GCC visibility pop

struct network {
  // The calling system thread has become a worker: whether it has an endpoint, which from now on
  // leaves waiting to the scheduler.
  bool (*join)();
  // Runs the handlers of what has arrived; returns how many.
  unsigned (*poll)();
  // Polls, and waits by the machine's load, until found(w) or the deadline (CLOCK_MONOTONIC in ns,
  // 0: none). tests: `found` depends on memory that others write without a message.
  void (*wait)(worker* w, bool (*found)(worker*), std::uint64_t deadline_ns, bool tests);
  // Where the calling system thread sleeps in wait; and how another one ends that sleep: either it
  // is woken, or it sees what the other one has stored before.
  void* (*sleeping_place)();
  void (*wake)(void* sleeping_place);
  // Whether the calling system thread stands in a handler, where nothing may block.
  bool (*in_handler)();
  // Whether a trace is told of the calling system thread's switches; and what tells it of one, from
  // which thread to which by their ids, 0: the watcher.
  bool (*notes_switches)();
  void (*note_switch)(std::uint32_t from, std::uint32_t to);
};

// The layer is there; from now on, workers that open ask it whether they have an endpoint.
void lend_network(const network* n) noexcept;
// The calling system thread has got an endpoint, or is about to lose it. Nothing, if it is not a
// worker.
void join_network() noexcept;
void leave_network() noexcept;

// A co-processor will run handlers beside the workers, which may make threads ready. While there is
// one thread.
void expect_coprocessor() noexcept;
// The calling system thread is one: it never becomes a worker.
void begin_coprocessor() noexcept;

// The argument of this test that the thread with the smallest number waits for, among the calling
// worker's threads; nullptr: none waits for such a test.
const void* find_test_of_first_thread(bool (*test)(void*)) noexcept;

// Whether SIGUSR1 makes this process write what its threads wait for.
bool dumps_on_signal() noexcept;

}  // namespace ramjet::ult::detail
