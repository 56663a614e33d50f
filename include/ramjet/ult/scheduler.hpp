// SPDX-License-Identifier: Apache-2.0
// The workers: system threads that run the user-level threads of this process, many to many.
// (SCALE Suite 1997, section 2, Figure 3.)
//
// The system thread that uses the library first is worker 0, and its program is thread 1 among the
// others. Nothing has to be started by hand where one worker is enough.
#pragma once

#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default)

namespace ramjet::ult {

struct options {
  // System threads that run user-level threads, this one included. 0: as many as this process may
  // use processors, by affinity and CPU quota.
  unsigned workers = 1;
  // Each worker stays on a processor of its own, in the order of the affinity mask.
  bool bind = false;
  // Stack of threads that do not choose; a power of two from 16 KiB to 1 GiB, else the next one.
  // Address space, as much again for threads that join others, and a guard (attributes): pages
  // appear when touched.
  std::size_t stack_bytes = 64 * 1024;
  // Conditions of each kind that a worker tests in one pass while threads are ready.
  unsigned tests_per_pass = 64;
  // For tests: the order of ready threads is shuffled by this seed. 0: first in, first out.
  std::uint64_t shuffle_seed = 0;
};

// Starts the workers. From the system thread that is to be worker 0, while no other thread of the
// library is alive, and not in a handler; ends the process with a message otherwise.
// RAMJET_ULT_WORKERS and RAMJET_ULT_SHUFFLE overrule the options of the same meaning.
void start(const options& wanted = {});

// Ends the workers but this one, which stays as it is after start({.workers = 1}). From thread 1,
// not in a handler.
// Threads that have not ended then are never run again.
void stop();

// start() with `count` workers, after stop() where needed; 0: as many as there are processors to
// use. Returns how many there are.
unsigned workers(unsigned count);

// How many workers there are; 0 before the first use.
unsigned workers() noexcept;

// Writes a line for every thread, with what it waits for, to a file descriptor. May be called from
// a signal handler. SIGUSR1 does this with standard error, unless the program handles that signal
// itself.
void dump(int file) noexcept;

}  // namespace ramjet::ult

#pragma GCC visibility pop
