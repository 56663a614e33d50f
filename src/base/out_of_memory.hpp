// SPDX-License-Identifier: Apache-2.0
// One line for a process that ends because it gets no memory: who, how much it has, what to do.
//
// Threads: any. None of this allocates.
#pragma once

namespace ramjet::base {

// Writes the line to standard error. `who` begins it, as "ramjet: rank 3".
void report_out_of_memory(const char* who) noexcept;

// From now on a std::bad_alloc that nobody catches is reported by the line, and the process ends by
// SIGABRT. Other exceptions go to the handler that std::get_terminate() gives now.
void report_uncaught_bad_alloc() noexcept;

// Whether the exception that is being handled is std::bad_alloc, or derived from it.
bool handles_bad_alloc() noexcept;

}  // namespace ramjet::base
