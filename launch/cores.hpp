// SPDX-License-Identifier: Apache-2.0
// Which rank runs on which core. Pure but for core_claims, which holds a mark per core that every
// launcher of the machine sees.
//
// Threads: the launcher's one.
#pragma once

#include <string>
#include <vector>

#include "launch/problem.hpp"

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

// The CPUs in the order of their physical cores: hyperthreads of one core are neighbours.
std::vector<int> order_by_core(const std::vector<int>& cpus,
                               const std::string& sys_cpu = "/sys/devices/system/cpu");

enum class binding {
  automatic,  // the free cores are shared out, if there are enough; else none
  core,       // one core for each rank, in turn if there are too few
  none,
};

// What the user wants. cores_per_rank 0: not said.
struct core_wish {
  binding bind = binding::automatic;
  unsigned cores_per_rank = 0;
};

// By rank: the CPUs that it may use. Empty: ranks are not bound.
using core_sets = std::vector<std::vector<int>>;

// Gives each rank so many of the CPUs: one each is spread over the physical cores, several are
// neighbours. Requires cpus.size() >= ranks * each.
core_sets share_out(const std::vector<int>& cpus, unsigned ranks, std::size_t each,
                    const std::string& sys_cpu = "/sys/devices/system/cpu");

// Plans by the affinity mask, the CPU quota and the claims of other jobs, and claims the first core
// of each rank. One rank alone is not bound unless the wish says so: it has all cores. Jobs that
// start later may take the cores that are not claimed.
problem plan_cores(const core_wish& wish, unsigned ranks, core_claims& claims, core_sets& plan);

// Cores that no job has claimed.
std::vector<int> unclaimed_cores();

}  // namespace ramjet::launcher
