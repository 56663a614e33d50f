// SPDX-License-Identifier: Apache-2.0
// Which CPUs this process may use.
#pragma once

#include <sched.h>

#include <vector>

namespace tools {

// Keeps this process, and what it starts, on some CPUs while it lives; on all that it has now if
// there are none, if one has too great a number for the system's call, or if the system refuses.
class affinity_limit {
 public:
  explicit affinity_limit(const std::vector<int>& cpus) {
    if (cpus.empty() || ::sched_getaffinity(0, sizeof before_, &before_) != 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int cpu : cpus) {
      if (cpu >= CPU_SETSIZE) return;
      CPU_SET(cpu, &set);
    }
    set_ = ::sched_setaffinity(0, sizeof set, &set) == 0;
  }
  ~affinity_limit() {
    if (set_) ::sched_setaffinity(0, sizeof before_, &before_);
  }
  affinity_limit(const affinity_limit&) = delete;
  affinity_limit& operator=(const affinity_limit&) = delete;

 private:
  cpu_set_t before_;
  bool set_ = false;
};

}  // namespace tools
