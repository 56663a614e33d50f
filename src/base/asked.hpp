// SPDX-License-Identifier: Apache-2.0
// SIGUSR1 asks a process what it is doing. The rooms that can say something about that share the
// signal.
#pragma once

#include <sys/types.h>

namespace ramjet::base {

enum class question { everything, threads };  // threads: what the user-level threads wait for

// From now on SIGUSR1 calls `tell` too, on whatever thread takes it; one that is given twice is
// called once. It may only do what a signal handler may. False if the program handles or ignores
// that signal itself: that stays; or if all places for tellers are taken (two). Any thread.
bool on_asked(void (*tell)(question)) noexcept;

// Asks a process, which is known to take the signal by on_asked, for its threads alone.
void ask_for_threads(pid_t process) noexcept;

}  // namespace ramjet::base
