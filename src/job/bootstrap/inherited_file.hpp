// SPDX-License-Identifier: Apache-2.0
// The files of a job that `ramjet run` hands down to its ranks as open descriptors. A program
// between the launcher and a rank may have closed them (Python's subprocess does, and so do test
// harnesses and profilers): then they are opened once more through the launcher's entry in /proc,
// which the kernel shows to the launcher's user alone.
//
// Threads: the one that calls join.
#pragma once

#include <string>

namespace ramjet::job {

// The descriptor whose number this variable of the environment holds, close-on-exec, or a new one
// of the same file. -1 and a sentence without its end if there is none. The caller has to check
// that the file is its job's.
int open_inherited_file(const char* variable, std::string& message);

// Makes that descriptor close-on-exec without opening anything, where it is still the job's.
void keep_from_children(const char* variable);

// Whether this process has a job's memory open although it has none of the job's variables.
bool has_lost_environment();

// A non-negative number from the environment, -1 if it is absent or malformed.
int number_from_environment(const char* name);

}  // namespace ramjet::job
