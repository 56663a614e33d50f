// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/processor_time.hpp"

#include <cinttypes>
#include <cstdio>

namespace characterize {
namespace {

// Leaves both as they are where the system does not tell.
void read_times(std::uint64_t& ran_ns, std::uint64_t& waited_ns) {
  std::FILE* file = std::fopen("/proc/thread-self/schedstat", "re");
  if (file == nullptr) return;
  std::uint64_t ran = 0, waited = 0;
  if (std::fscanf(file, "%" SCNu64 " %" SCNu64, &ran, &waited) == 2) {
    ran_ns = ran;
    waited_ns = waited;
  }
  std::fclose(file);
}

}  // namespace

processor_time::processor_time() { read_times(ran_ns_, waited_ns_); }

double processor_time::lost() const {
  std::uint64_t ran = ran_ns_, waited = waited_ns_;
  read_times(ran, waited);
  const std::uint64_t wanted = ran - ran_ns_ + waited - waited_ns_;
  return wanted == 0 ? 0 : double(waited - waited_ns_) / double(wanted);
}

}  // namespace characterize
