// SPDX-License-Identifier: Apache-2.0
// Finding and ending processes that a job started without the launcher's doing: children of
// wrappers, background jobs of scripts. No state.
#pragma once

#include <sys/types.h>

#include <vector>

namespace ramjet::job {

// Parent, session and state letter ('R', 'S', 'T', ...) of a process; -1 if it is gone.
struct process_look {
  pid_t parent = -1;
  pid_t session = -1;
  char state = '?';
};
process_look look_at_process(pid_t pid);

// The living descendant of this process that calls itself `pid`, perhaps in a process id namespace
// of its own; 0 if there is none.
pid_t find_descendant(pid_t pid);

// Kills every process that belongs to the session of one of these leaders, and those that they
// start meanwhile. Sees process groups that a wrapper made for itself, as timeout(1) does.
void kill_sessions(const std::vector<pid_t>& leaders);

// Children of this process's first thread, zombies too. Empty where the kernel does not tell.
std::vector<pid_t> children();

// Kills and reaps all children but the known ones, and the children that fall to this process
// through that. It must be a child subreaper: then orphans of the job are its children.
void end_strays(std::vector<pid_t> known);

}  // namespace ramjet::job
