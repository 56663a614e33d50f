// SPDX-License-Identifier: Apache-2.0
#include "memory.hpp"

#include <ramjet/ramjet.hpp>

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

}  // namespace measured
