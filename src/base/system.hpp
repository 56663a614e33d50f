// SPDX-License-Identifier: Apache-2.0
// What several rooms ask of the system in the same way.
#pragma once

#include <string>

namespace ramjet::base {

// "what: the meaning of errno".
std::string os_error(const char* what);

// Writes the text and a line's end to standard error, unless it would have to wait for a reader: of
// threads that others wait for. Past the streams of the C library, which may be held meanwhile.
void report_at_once(const std::string& text) noexcept;

// Why a descriptor cannot be watched, and what to do: a failed epoll_ctl, with its errno.
std::string watch_problem(int error);
// Prints it, and ends this process with the status of a rank that cannot go on.
[[noreturn]] void end_for_want_of_watch(int error) noexcept;

// A sentence if this kernel's pages are not of the 4 KiB that the node's memory and the stacks of
// threads are laid out in; empty if they are.
std::string page_size_problem();

// A file in memory that only descriptors name, for the ranks of a job; -1 and errno if there can be
// none. Closed on exec, may be sealed, is not to be executed.
int open_memory_file() noexcept;
inline constexpr const char* kMemoryFileName = "ramjet-job";  // as /proc shows it

}  // namespace ramjet::base
