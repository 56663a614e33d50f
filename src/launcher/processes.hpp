// SPDX-License-Identifier: Apache-2.0
// Finding and ending processes that a job started without the launcher's doing: children of
// wrappers, background jobs of scripts. No state.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "report/process_look.hpp"

namespace ramjet::launcher {

// The living descendant of this process that calls itself `pid`, perhaps in a process id namespace
// of its own; 0 if there is none.
pid_t find_descendant(pid_t pid);

// Kills every process with the job's secret in its environment, and those that they start
// meanwhile: the ranks, and what they or their wrappers started, whatever session it is in.
void kill_marked(std::uint64_t secret);

// Children of this process's first thread, zombies too. Empty where the kernel does not tell.
std::vector<pid_t> children();

// Kills and reaps all children but the known ones, and the children that fall to this process
// through that. It must be a child subreaper: then orphans of the job are its children. Where the
// kernel does not tell children, those with the job's secret are killed.
void end_strays(std::vector<pid_t> known, std::uint64_t secret);

}  // namespace ramjet::launcher
