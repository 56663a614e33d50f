// SPDX-License-Identifier: Apache-2.0
#include "launch/memory_kills.hpp"

#include <sys/stat.h>

#include <fstream>
#include <sstream>
#include <utility>

#include "report/text.hpp"

namespace ramjet::launcher {
namespace {

constexpr std::uint64_t kReadNow = ~std::uint64_t{0};

// Where a version of control groups keeps the kills and the limit.
struct group_files {
  const char* kills;
  const char* limit;
};
constexpr group_files kFiles[] = {{"/memory.events", "/memory.max"},
                                  {"/memory.oom_control", "/memory.limit_in_bytes"}};

bool exists(const std::string& path) {
  struct stat about{};
  return ::stat(path.c_str(), &about) == 0;
}

// "oom_kill N" in a file of such lines; 0 if there is none.
std::uint64_t read_kills(const std::string& folder) {
  for (const group_files& f : kFiles) {
    std::ifstream file(folder + f.kills);
    std::string name;
    for (std::uint64_t count = 0; file >> name >> count;)
      if (name == "oom_kill") return count;
  }
  return 0;
}

std::string limit_text(const std::string& folder) {
  for (const group_files& f : kFiles) {
    std::ifstream file(folder + f.limit);
    std::uint64_t bytes = 0;
    if (file >> bytes && bytes < std::uint64_t{1} << 60)
      return report::text(" of %llu MiB", static_cast<unsigned long long>(bytes >> 20));
  }
  return {};
}

// The folder of the group that counts a process's memory, from /proc/PID/cgroup; empty if there is
// none. In a container the path may be that of the host: then the nearest folder that is there.
std::string memory_group(const std::string& groups, const std::string& process) {
  std::ifstream file(process + "/cgroup");
  std::string found;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string number, controllers, path;
    std::getline(words, number, ':');
    std::getline(words, controllers, ':');
    std::getline(words, path);
    const bool is_second = number == "0" && controllers.empty();
    if (!is_second && ("," + controllers + ",").find(",memory,") == std::string::npos) continue;
    const group_files& f = kFiles[is_second ? 0 : 1];
    const std::string root = groups + (is_second ? "" : "/memory");
    for (;;) {
      const std::string folder = root + (path == "/" ? "" : path);
      if (exists(folder + f.kills)) found = folder;
      if (!found.empty() || path.empty() || path == "/") break;
      path.resize(path.rfind('/'));
    }
    if (!found.empty() && !is_second) break;  // where both are mounted, the first version counts
  }
  return found;
}

}  // namespace

memory_kills::memory_kills(std::string groups, std::string processes)
    : groups_(std::move(groups)), processes_(std::move(processes)) {
  note_group_of(processes_ + "/self", kReadNow);
}

void memory_kills::note_group(pid_t pid) {
  note_group_of(processes_ + "/" + std::to_string(pid), kReadNow);
}

void memory_kills::note_group_of(const std::string& process, std::uint64_t kills_before) {
  const std::string folder = memory_group(groups_, process);
  if (folder.empty() || kills_.count(folder) != 0) return;
  // A zombie of the first version seems to be in the root, where it has not been.
  const bool is_known = kills_before != kReadNow && exists(folder + kFiles[0].kills);
  kills_[folder] = is_known ? kills_before : read_kills(folder);
}

std::string memory_kills::explain(pid_t pid) {
  // A group that the process has entered unseen has killed nobody else of this job.
  note_group_of(processes_ + "/" + std::to_string(pid), 0);
  for (auto& [folder, accounted] : kills_) {
    const std::uint64_t kills = read_kills(folder);
    if (kills <= accounted) continue;
    ++accounted;
    return ": its control group has reached its memory limit" + limit_text(folder) + " (" + folder +
           "); raise it, or use less memory";
  }
  return {};
}

}  // namespace ramjet::launcher
