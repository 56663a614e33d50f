// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "agreeing.hpp"
#include "base/cpus.hpp"

namespace measured {

std::uint64_t free_memory() {
  constexpr std::uint64_t kWhenUnknown = std::uint64_t{4} << 30;
  const std::uint64_t available = ramjet::base::available_memory();
  return available != 0 ? available / 4 * 3 : kWhenUnknown;
}

int ranks_here() {
  int number = 0;
  for (int rank = 0; rank < ramjet::size(); ++rank) {
    number += ramjet::node_of(rank) == ramjet::node_of(ramjet::rank()) ? 1 : 0;
  }
  return number;
}

void check_memory(double bytes_of_rank, const std::string& what, const char* sized_by) {
  constexpr double kGigabyte = 1e9;
  agreed([&] {
    const double free = static_cast<double>(free_memory()) / ranks_here();
    if (bytes_of_rank > free)
      throw failure(fmt::format(
          "not enough memory for {}: a rank needs at least {:.1f} GB, {:.1f} GB are free for each: "
          "ask for less by {}",
          what, bytes_of_rank / kGigabyte, free / kGigabyte, sized_by));
  });
}

}  // namespace measured
