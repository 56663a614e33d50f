// SPDX-License-Identifier: Apache-2.0
// The standard output of a rank. It is a pipe or a socket to the launcher, and the C library would
// keep 4 KiB of text back and lose it when a signal ends the process.
//
// Threads: print_lines_at_once() is for the thread that calls init. The others are for any thread.
#pragma once

namespace ramjet::base {

// Makes the C stream `stdout` line-buffered if it is a pipe or a socket, unless the program has
// made it unbuffered. From then on a signal that ends the process by its default action first
// writes the text that the stream holds. Signals that the program handles or ignores stay as they
// are.
void print_lines_at_once() noexcept;

// Writes the text that `stdout` still holds. Takes no lock and is async-signal-safe: the process is
// about to end. Does nothing with C libraries whose streams cannot be read so.
void write_pending_output() noexcept;

// write_pending_output(), then std::_Exit(): no destructor and no atexit function runs.
[[noreturn]] void end_process(int status) noexcept;

}  // namespace ramjet::base
