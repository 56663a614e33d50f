// SPDX-License-Identifier: Apache-2.0
// fork() in a program that has variables or its stack in the segment: the child inherits a mapping
// that it shares with its parent, and needs these for itself, as they are when it begins. So the
// parent waits in fork until the child has copied them. fork is called on a stack that is not in
// the segment (languages/splitc/runtime/stack.hpp).
//
// Threads: handlers of pthread_atfork, in the thread that forks.
#pragma once

#include <string>

namespace ramjet::job {

// After join has found the object: keeps a descriptor of it, if this program has anything there.
// False and one sentence if that cannot be.
bool keep_object_for_forks(int object, std::string& message);

// Where the stack in the segment is in use from, for a fork that is called on another one. Written
// when stacks are switched.
extern constinit const void* stack_in_use;

void before_fork() noexcept;
void after_fork_in_parent() noexcept;
void after_fork_in_child() noexcept;

}  // namespace ramjet::job
