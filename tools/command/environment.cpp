// SPDX-License-Identifier: Apache-2.0
#include "tools/command/environment.hpp"

#include <fmt/format.h>
#include <hwloc.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>
#include <vector>

#include "base/cpus.hpp"
#include "base/settings.hpp"
#include "build_info.hpp"
#include "node/board.hpp"
#include "node/segments.hpp"
#include "ramjet/version.hpp"

namespace tools {
namespace {

using console::json;
namespace build = ramjet::build_info;

class topology {
 public:
  topology() { loaded_ = hwloc_topology_init(&t_) == 0 && hwloc_topology_load(t_) == 0; }
  ~topology() {
    if (t_ != nullptr) hwloc_topology_destroy(t_);
  }
  topology(const topology&) = delete;
  topology& operator=(const topology&) = delete;

  json count(hwloc_obj_type_t type) const {
    const int n = loaded_ ? hwloc_get_nbobjs_by_type(t_, type) : 0;
    return n > 0 ? json(n) : json();
  }
  // The kinds of cache of one level, by size and sharers: "48 KiB per 2 threads".
  json caches(hwloc_obj_type_t type) const {
    if (!loaded_) return {};
    const int n = hwloc_get_nbobjs_by_type(t_, type);
    std::set<std::string> kinds;
    for (int i = 0; i < n; ++i) {
      const hwloc_obj_t cache = hwloc_get_obj_by_type(t_, type, unsigned(i));
      const int threads = hwloc_bitmap_weight(cache->cpuset);
      kinds.insert(fmt::format("{} per {}", bytes_text(cache->attr->cache.size),
                               threads == 1 ? "thread" : fmt::format("{} threads", threads)));
    }
    return kinds.empty() ? json() : json::array({kinds.begin(), kinds.end()});
  }

 private:
  hwloc_topology_t t_ = nullptr;
  bool loaded_ = false;
};

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    for (const char* key : {"model name", "Processor", "cpu model"}) {
      const std::size_t colon = line.find(": ");
      if (line.starts_with(key) && colon != line.npos) return line.substr(colon + 2);
    }
  }
  utsname names{};
  return ::uname(&names) == 0 ? names.machine : "unknown";
}

// "0-3,8" of ascending numbers.
std::string ranges_text(const std::vector<int>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
    out += fmt::format("{}{}", out.empty() ? "" : ",", numbers[i]);
    if (end - i > 1) out += fmt::format("-{}", numbers[end - 1]);
    i = end;
  }
  return out;
}

json limit(int resource) {
  rlimit r{};
  if (::getrlimit(__rlimit_resource_t(resource), &r) != 0 || r.rlim_cur == RLIM_INFINITY) return {};
  return r.rlim_cur;
}

json first_number_of(const char* path) {
  std::ifstream file(path);
  long long value = 0;
  return file >> value ? json(value) : json();
}

json describe_limits() {
  const double quota = ramjet::base::cpu_quota();
  const std::uint64_t physical =
      std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
  const std::uint64_t usable = ramjet::base::usable_memory();
  return {
      {"affinity", ranges_text(ramjet::base::allowed_cpus())},
      {"cpu_quota", quota > 0 ? json(quota) : json()},
      {"usable_cores", ramjet::base::usable_cpus()},
      {"physical_memory_bytes", physical},
      {"memory_limit_bytes", usable < physical ? json(usable) : json()},
      {"open_files", limit(RLIMIT_NOFILE)},
      {"processes", limit(RLIMIT_NPROC)},
      {"locked_memory_bytes", limit(RLIMIT_MEMLOCK)},
      {"address_space_bytes", limit(RLIMIT_AS)},
      {"file_size_bytes", limit(RLIMIT_FSIZE)},
      {"max_map_count", first_number_of("/proc/sys/vm/max_map_count")},
      {"overcommit", first_number_of("/proc/sys/vm/overcommit_memory")},
  };
}

bool has_memfd() {
  const int fd = ::memfd_create("probe", MFD_CLOEXEC);
  if (fd >= 0) ::close(fd);
  return fd >= 0;
}

bool has_futex() {
  int word = 0;
  return ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0) == 0;
}

bool has_pidfd() {
  const long fd = ::syscall(SYS_pidfd_open, ::getpid(), 0);
  if (fd >= 0) ::close(int(fd));
  return fd >= 0;
}

json describe_kernel() {
  utsname names{};
  ::uname(&names);
  const long commands = ::syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0, 0);
  const auto barrier = [commands](long command) {
    return commands > 0 && (commands & command) != 0;
  };
  return {
      {"release", names.release},
      {"memfd", has_memfd()},
      {"futex", has_futex()},
      {"pidfd", has_pidfd()},
      {"membarrier_private", barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)},
      {"membarrier_global", barrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED)},
  };
}

json describe_ranks() {
  json settings = json::object();
  settings["ranks_max"] = ramjet::node::kRanksMax;
  settings["endpoints_max"] = ramjet::node::kEndpointsMax;
  for (const auto& s : ramjet::base::all_settings()) {
    const char* given = std::getenv(s.name);
    const bool is_given = given != nullptr && *given != '\0';
    settings[s.name] = {{"value", is_given ? given : s.fallback},
                        {"default", s.fallback},
                        {"takes", s.takes},
                        {"meaning", s.meaning}};
  }
  return settings;
}

// How a rank's segment is divided at its start (src/gas/division.hpp), in a program without
// symmetric variables.
json describe_segment() {
  ramjet::base::settings given{};
  std::string problem;
  const bool is_given = ramjet::base::read_settings(given, problem) && given.segment_bytes != 0;
  const std::uint64_t bytes =
      is_given ? given.segment_bytes : ramjet::node::default_segment_bytes();
  const std::uint64_t own = ramjet::node::page_up(bytes / 2);
  return {
      {"address_space_bytes", bytes},
      {"own_part_bytes", own},
      {"symmetric_part_bytes", bytes - own},
      {"division",
       "half for what a rank allocates by itself, half for what all ranks allocate "
       "together; while nothing is symmetric, a rank may use all of it"},
  };
}

json describe_build() {
  return {
      {"version", RAMJET_VERSION},        {"commit", build::kCommit},
      {"compiler", build::kCompiler},     {"type", build::kBuildType},
      {"flags", build::kFlags},           {"channels", {"shm", "self"}},
      {"channels_for_tests", {"faulty"}}, {"networks", {"tcp", "ofi"}},
  };
}

json describe_machine() {
  const topology t;
  return {
      {"processor", processor_name()},
      {"packages", t.count(HWLOC_OBJ_PACKAGE)},
      {"numa_nodes", t.count(HWLOC_OBJ_NUMANODE)},
      {"cores", t.count(HWLOC_OBJ_CORE)},
      {"threads", t.count(HWLOC_OBJ_PU)},
      {"L1d", t.caches(HWLOC_OBJ_L1CACHE)},
      {"L2", t.caches(HWLOC_OBJ_L2CACHE)},
      {"L3", t.caches(HWLOC_OBJ_L3CACHE)},
      {"page_bytes", ::sysconf(_SC_PAGESIZE)},
  };
}

}  // namespace

json describe_environment() {
  return {
      {"build", describe_build()},   {"machine", describe_machine()}, {"limits", describe_limits()},
      {"kernel", describe_kernel()}, {"segment", describe_segment()}, {"ranks", describe_ranks()},
  };
}

std::string bytes_text(std::uint64_t bytes) {
  constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = double(bytes);
  unsigned unit = 0;
  while (value >= 1024 && unit + 1 < std::size(kUnits)) {
    value /= 1024;
    ++unit;
  }
  return value == double(std::uint64_t(value)) ? fmt::format("{:.0f} {}", value, kUnits[unit])
                                               : fmt::format("{:.1f} {}", value, kUnits[unit]);
}

}  // namespace tools
