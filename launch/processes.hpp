// SPDX-License-Identifier: Apache-2.0
// Finding and ending processes that a job started without the launcher's doing: children of
// wrappers, background jobs of scripts. No state.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "report/process_info.hpp"

namespace ramjet::launcher {

// The living descendant of this process that calls itself `pid`, perhaps in a process id namespace
// of its own; 0 if there is none.
pid_t find_descendant(pid_t pid);

// Whether the process has a handler for the signal.
bool catches_signal(pid_t pid, int signal);

// Closes every descriptor but `kept` (-1: none), which becomes descriptor 0: for a process that
// must not hold somebody's pipe or terminal.
void close_all_but(int kept);

// What the kernel knows an open file by.
struct file_mark {
  dev_t device = 0;
  ino_t number = 0;
  bool operator==(const file_mark&) const = default;
};
file_mark mark_of(int descriptor);  // async-signal-safe

// Kills every process with the job's secret in its environment, or with one of these files open,
// and those that they start meanwhile: the ranks, and what they or their wrappers started, whatever
// session it is in. A process that has neither is not found: one that was started with another
// environment and has closed all files that it inherited.
void kill_marked(std::uint64_t secret, const std::vector<file_mark>& files);

// Children of this process's first thread, zombies too. Empty where the kernel does not list them.
std::vector<pid_t> children();

// Reaps the dead ones of them, but for those that are known.
void reap_children_except(const std::vector<pid_t>& known);

// Kills and reaps all children but the known ones, and the children that fall to this process
// through that. It must be a child subreaper: then orphans of the job are its children. Where the
// kernel does not list children, those with the job's secret are killed.
void end_orphans(const std::vector<pid_t>& known, std::uint64_t secret);

}  // namespace ramjet::launcher
