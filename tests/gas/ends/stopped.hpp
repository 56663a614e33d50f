// SPDX-License-Identifier: Apache-2.0
// Waits for a process that a signal stops.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

// Returns when none of the process's threads runs.
inline void await_stopped(pid_t process) {
  for (const auto& task :
       std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task")) {
    for (char state = 0; state != 'T' && state != 'Z'; usleep(1000)) {
      std::string line;
      if (!std::getline(std::ifstream(task.path() / "stat"), line)) break;  // it has ended
      state = line.at(line.rfind(')') + 2);
    }
  }
}
