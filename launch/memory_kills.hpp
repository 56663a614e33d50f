// SPDX-License-Identifier: Apache-2.0
// Which ranks the kernel has killed because their control group ran out of memory: such a death
// looks like any SIGKILL, and only the group's counter of kills says what it was.
//
// Threads: the launcher's one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>

namespace ramjet::launcher {

class memory_kills {
 public:
  // `groups`: where control groups are mounted; `processes`: /proc. Notes this process's own group.
  explicit memory_kills(std::string groups = "/sys/fs/cgroup", std::string processes = "/proc");

  // Remembers the process's group, while it lives, and the kills that it has seen by now.
  void note_group(pid_t pid);

  // For the end of a sentence that says that the process was killed by SIGKILL: that its group ran
  // out of memory, and what the limit is; empty if none of the groups has counted a further kill.
  // The process may be a zombie.
  std::string explain(pid_t pid);

 private:
  void note_group_of(const std::string& process, std::uint64_t kills_before);

  std::string groups_, processes_;
  std::map<std::string, std::uint64_t>
      kills_;  // by folder of a group: kills that are accounted for
};

}  // namespace ramjet::launcher
