// SPDX-License-Identifier: Apache-2.0
#include "base/cpus.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <tuple>

namespace ramjet::base {

namespace {

// The first word of a file as a number; fallback if it is not there or not a number ("max").
double number_in(const std::string& path, double fallback) {
  std::ifstream in(path);
  double value;
  return in >> value ? value : fallback;
}

// The number behind this name, which begins a line of the file.
double number_behind(const std::string& name, const std::string& path, double fallback) {
  std::ifstream in(path);
  std::string first;
  for (std::string row; std::getline(in, row);) {
    std::istringstream words(row);
    double value;
    if (words >> first >> value && first == name) return value;
  }
  return fallback;
}

// Path of this process in the cgroup hierarchy: v2 ("0::/a/b") or the v1 hierarchy of `controller`.
std::string cgroup_path(const std::string& controller, const std::string& root = "") {
  std::ifstream in(root + "/proc/self/cgroup");
  for (std::string row; std::getline(in, row);) {
    const std::size_t first = row.find(':');
    const std::size_t second = row.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + row.substr(first + 1, second - first - 1) + ",";
    const bool v2 = controller.empty() && controllers == ",,";
    if (v2 ||
        (!controller.empty() && controllers.find("," + controller + ",") != std::string::npos))
      return row.substr(second + 1);
  }
  return "/";
}

// Calls visit(folder) for the process's cgroup folder and every one above it.
template <class Visit>
void for_each_cgroup(const std::string& root, std::string path, Visit&& visit) {
  for (;;) {
    visit(root + (path == "/" ? "" : path));
    if (path.empty() || path == "/") return;
    path.resize(path.find_last_of('/'));
  }
}

constexpr int kMostCpus = 4096;

// The affinity mask of this thread.
class cpu_mask {
 public:
  cpu_mask() { std::ignore = sched_getaffinity(0, kBytes, set()); }
  bool has(int cpu) const {
    return cpu < kMostCpus && CPU_ISSET_S(std::size_t(cpu), kBytes, set());
  }

 private:
  static constexpr std::size_t kBytes = kMostCpus / 8;
  cpu_set_t* set() { return sets_; }
  const cpu_set_t* set() const { return sets_; }

  cpu_set_t sets_[kBytes / sizeof(cpu_set_t)]{};
};

}  // namespace

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  const cpu_mask set;
  for (int i = 0; i < kMostCpus; ++i)
    if (set.has(i)) cpus.push_back(i);
  if (cpus.empty()) cpus.push_back(0);
  return cpus;
}

double cpu_quota() {
  double least = 0;
  const auto lower = [&](double quota) {
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
  };
  for_each_cgroup("/sys/fs/cgroup", cgroup_path(""), [&](const std::string& folder) {
    std::ifstream in(folder + "/cpu.max");
    std::string quota;
    double period;
    if (in >> quota >> period && quota != "max" && period > 0) lower(std::stod(quota) / period);
  });
  for_each_cgroup("/sys/fs/cgroup/cpu", cgroup_path("cpu"), [&](const std::string& folder) {
    const double quota = number_in(folder + "/cpu.cfs_quota_us", -1);
    const double period = number_in(folder + "/cpu.cfs_period_us", 0);
    if (quota > 0 && period > 0) lower(quota / period);
  });
  return least;
}

unsigned usable_cpus() { return within_quota(allowed_cpus().size()); }

unsigned within_quota(std::size_t cpus) {
  const auto allowed = unsigned(cpus);
  const double quota = cpu_quota();
  if (quota <= 0) return allowed;
  // Rounded up, without ceil(): programs in C would need the library of mathematics for that.
  const auto whole = unsigned(std::min(quota, double(allowed)));
  return std::max(1u, std::min(allowed, whole + (whole < quota ? 1 : 0)));
}

std::uint64_t usable_memory() {
  auto least = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
  for_each_cgroup("/sys/fs/cgroup", cgroup_path(""), [&](const std::string& folder) {
    least = std::min(least, number_in(folder + "/memory.max", least));
  });
  for_each_cgroup("/sys/fs/cgroup/memory", cgroup_path("memory"), [&](const std::string& folder) {
    least = std::min(least, number_in(folder + "/memory.limit_in_bytes", least));
  });
  return std::uint64_t(least);
}

std::uint64_t available_memory(const std::string& root) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  double least = number_behind("MemAvailable:", root + "/proc/meminfo", kUnknown) * 1024;
  // Pages of files that nobody has looked at for long are given up before the limit is reached.
  const auto lower = [&least](const std::string& folder, const char* limit, const char* usage,
                              const char* pages) {
    const double used =
        number_in(folder + usage, 0) - number_behind(pages, folder + "/memory.stat", 0);
    least = std::min(least, std::max(0.0, number_in(folder + limit, kUnknown) - used));
  };
  for_each_cgroup(root + "/sys/fs/cgroup", cgroup_path("", root), [&](const std::string& folder) {
    lower(folder, "/memory.max", "/memory.current", "inactive_file");
  });
  for_each_cgroup(
      root + "/sys/fs/cgroup/memory", cgroup_path("memory", root), [&](const std::string& folder) {
        lower(folder, "/memory.limit_in_bytes", "/memory.usage_in_bytes", "total_inactive_file");
      });
  return least < kUnknown ? std::uint64_t(least) : 0;
}

}  // namespace ramjet::base
