// SPDX-License-Identifier: Apache-2.0
// SIGUSR1 requests a report of what a process is doing. The rooms that report something share the
// signal.
#pragma once

#include <sys/types.h>

namespace ramjet::base {

// threads: what the user-level threads wait for; nothing: the signal is meant for the program.
enum class question { everything, threads, nothing };

// From now on SIGUSR1 calls `report` too, on whatever thread takes it; one that is given twice is
// called once. It may only do what a signal handler may. False if the program handles or ignores
// that signal itself: that stays; or if there are two already. Any thread.
bool on_report_request(void (*report)(question)) noexcept;

// Sends SIGUSR1 with this question to a process that is known to take the signal. It is named by a
// pidfd, or where that is -1 by its number, which must still be its own.
void ask(question what, int pidfd, pid_t process) noexcept;

}  // namespace ramjet::base
