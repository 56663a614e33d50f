// SPDX-License-Identifier: Apache-2.0
// How much processor and memory this process may really use: affinity mask and cgroup limits, not
// what the machine has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ramjet::base {

// The processors of the affinity mask, ascending. At least one.
std::vector<int> allowed_cpus();

// The processors that a launcher names in this variable, "3,4,5": the first is the one to which it
// has bound the process, whose workers of user-level threads may take the others.
inline constexpr const char* kEnvCores = "RAMJET_CORES";

// In the environment of what a launcher has started itself.
inline constexpr const char* kEnvLaunched = "RAMJET_JOB_FD";

// These, each once, as far as the system grants them, where the launcher has started this process
// and it is still bound so; else allowed_cpus(): the variable may come from a shell in a rank of
// another job, on another machine.
std::vector<int> cpus_for_workers();

// CPU time that the cgroups of this process grant, in processors; 0 if unlimited. (v2, then v1.)
double cpu_quota();

// allowed_cpus().size(), lowered to the quota rounded up. At least 1.
unsigned usable_cpus();
unsigned within_quota(std::size_t cpus);  // the same for this many allowed ones

// Physical memory, lowered to the cgroup's limit, in bytes.
std::uint64_t usable_memory();

// Memory that can be had now, in bytes: what the system says is available, lowered to what is left
// below the cgroups' limits. 0 if neither is known. A test has a /proc and a /sys of its own, below
// `root`.
std::uint64_t available_memory(const std::string& root = "");

}  // namespace ramjet::base
