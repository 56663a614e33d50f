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
