// SPDX-License-Identifier: Apache-2.0
// Which rank runs on which core. Pure but for core_claims, which holds a mark per core that every
// launcher of the machine sees.
//
// Threads: the launcher's one.
#pragma once

#include <string>
#include <vector>

namespace ramjet::launcher {

// The first `count` of the CPUs in the order in which ranks should take them: one of each physical
// core before the second hyperthread of any. Reads the topology below `sys_cpu`.
std::vector<int> spread_over_cores(const std::vector<int>& cpus, std::size_t count,
                                   const std::string& sys_cpu = "/sys/devices/system/cpu");

// Cores that running jobs have taken for themselves, so that two jobs side by side do not pin
// themselves to the same ones. A claim is a bound abstract socket: the kernel drops it when the
// launcher ends, however it ends.
class core_claims {
 public:
  core_claims() = default;
  ~core_claims();
  core_claims(const core_claims&) = delete;
  core_claims& operator=(const core_claims&) = delete;

  bool claim(int cpu);  // false: another job has it
  void release_all();

  // Whether a job has it. Claims nothing, not for a moment: a job that starts now can have it.
  static bool is_claimed(int cpu);

 private:
  struct held {
    int cpu;
    int socket;
  };
  std::vector<held> held_;
};

enum class binding {
  automatic,  // core if every rank gets one of its own, else none
  core,
  none,
};

// The CPU of each rank, claimed; empty: ranks are not bound.
std::vector<int> plan_binding(binding wanted, unsigned ranks, core_claims& claims);

// What is left beside them: cores that no job has claimed. Nobody claims these: jobs that start
// later take them for their ranks.
std::vector<int> unclaimed_cores();

// The part of the spare cores that falls to a rank, the same number to each.
std::vector<int> part_of_spare(const std::vector<int>& spare, unsigned rank, unsigned ranks);

}  // namespace ramjet::launcher
