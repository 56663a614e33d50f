// SPDX-License-Identifier: Apache-2.0
#include "papers/study/native/hardware.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace study {
namespace {

constexpr std::uint64_t kMisses(std::uint64_t cache) {
  return cache | std::uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8 |
         std::uint64_t{PERF_COUNT_HW_CACHE_RESULT_MISS} << 16;
}

int open_here(perf_event_attr& what) {
  constexpr int kThisProcess = 0, kAnyProcessor = -1, kNoGroup = -1;
  what.size = sizeof what;
  return static_cast<int>(syscall(SYS_perf_event_open, &what, kThisProcess, kAnyProcessor, kNoGroup,
                                  PERF_FLAG_FD_CLOEXEC));
}

// A counter of nothing that children do not inherit. Where they inherit all that a process has, the
// kernel may exchange its counters with a child's when it switches from one to the other; those of
// this process would then begin with the child's exec(), and end with it.
int open_for_this_process() {
  perf_event_attr what{};
  what.type = PERF_TYPE_SOFTWARE;
  what.config = PERF_COUNT_SW_DUMMY;
  what.disabled = 1;
  what.exclude_kernel = 1;
  what.exclude_hv = 1;
  return open_here(what);
}

// A counter that is off here and inherited; it begins with a child's exec().
int open_for_children(const hardware_event& event) {
  perf_event_attr what{};
  what.type = event.type;
  what.config = event.number;
  what.disabled = 1;
  what.inherit = 1;
  what.enable_on_exec = 1;
  what.exclude_kernel = 1;  // any user may count the rest
  what.exclude_hv = 1;
  what.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return open_here(what);
}

}  // namespace

const hardware_events kHardware = {
    {{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
     {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
     {"first_level_data_misses", PERF_TYPE_HW_CACHE, kMisses(PERF_COUNT_HW_CACHE_L1D)},
     {"last_level_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES}}};

hardware_counters::hardware_counters(const hardware_events& events)
    : of_this_process_(open_for_this_process()) {
  std::string why;
  for (std::size_t i = 0; i < events.size(); ++i) {
    files_[i] = open_for_children(events[i]);
    if (files_[i] >= 0) continue;
    why = std::strerror(errno);
    missing_ += (missing_.empty() ? "" : ", ") + std::string(events[i].name);
  }
  if (!missing_.empty()) missing_ += ": " + why;
}

hardware_counters::~hardware_counters() {
  for (const int file : files_)
    if (file >= 0) close(file);
  if (of_this_process_ >= 0) close(of_this_process_);
}

hardware_counts hardware_counters::take() {
  hardware_counts taken;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    reading now;
    if (files_[i] < 0 || read(files_[i], &now, sizeof now) != sizeof now) continue;
    const reading& was = before_[i];
    const double counted = double(now.count - was.count);
    const double running = double(now.running_ns - was.running_ns);
    if (running > 0) taken[i] = counted * double(now.enabled_ns - was.enabled_ns) / running;
    before_[i] = now;
  }
  return taken;
}

}  // namespace study
