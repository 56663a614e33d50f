// SPDX-License-Identifier: Apache-2.0
// How much processor and memory this process may really use: affinity mask and cgroup limits, not
// what the machine has.
#pragma once

#include <cstdint>
#include <vector>

namespace ramjet::base {

// The processors of the affinity mask, ascending. At least one.
std::vector<int> allowed_cpus();

// CPU time that the cgroups of this process grant, in processors; 0 if unlimited. (v2, then v1.)
double cpu_quota();

// allowed_cpus().size(), lowered to the quota rounded up. At least 1.
unsigned usable_cpus();

// Physical memory, lowered to the cgroup's limit, in bytes.
std::uint64_t usable_memory();

}  // namespace ramjet::base
