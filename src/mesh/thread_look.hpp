// SPDX-License-Identifier: Apache-2.0
// What the system shows of a thread of another process on this machine (/proc): whether it is
// stopped, sleeps, or wants a processor and gets none.
//
// Threads: any for the functions; a starvation_watch belongs to one.
#pragma once

#include <cstdint>

namespace ramjet::mesh {

// Two processes with the same number can look at each other's threads: they run under the same
// kernel and in the same process namespace. 0: the system does not say.
std::uint64_t this_machine();

std::uint32_t this_thread();

struct thread_look {
  bool wants_processor = false;  // runs or waits for a processor, for a page or for a disk
  std::uint64_t turns = 0;       // how often it has got a processor
};
// False if the system does not show such a thread.
bool look_at(std::uint32_t thread, thread_look& into);

// Looks at one thread again and again.
class starvation_watch {
 public:
  // Whether the thread wanted a processor at the last look and now, and got none in between.
  bool is_starved(std::uint32_t thread);

 private:
  std::uint32_t thread_ = 0;
  thread_look last_;
};

}  // namespace ramjet::mesh
