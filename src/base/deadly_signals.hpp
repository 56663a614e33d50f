// SPDX-License-Identifier: Apache-2.0
// What a process still does when a signal ends it by its default action: steps that are called in
// the signal handler, before that action.
//
// Threads: call_before_deadly_signal() is for the thread that calls init; a step runs on the thread
// that takes the signal.
#pragma once

namespace ramjet::base {

// From now on the step is called, after those that were given before; at most four. It may only do
// what a signal handler may. One that is given twice is called once. Signals that the program
// handles or ignores by then stay as they are. No step is called in a forked child.
void call_before_deadly_signal(void (*step)() noexcept) noexcept;

}  // namespace ramjet::base
