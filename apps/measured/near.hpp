// SPDX-License-Identifier: Apache-2.0
// Memory of the symmetric heap that belongs to another rank of this machine, by plain addresses.
#pragma once

#include <cstddef>

#include <ramjet/ramjet.hpp>

namespace measured {

// Where `rank` has what this rank has at `mine`, an address in the symmetric heap that local() of a
// pointer gave; nullptr if that rank is on another node.
template <class T>
T* near_address(int rank, T* mine) {
  const int me = ramjet::rank();
  if (ramjet::node_of(rank) != ramjet::node_of(me)) return nullptr;
  // A segment's first byte, by the address that pointers have for it.
  const std::byte* const first = ramjet::global_ptr<std::byte>(ramjet::segment_begin(me)).local();
  return reinterpret_cast<T*>(ramjet::segment_begin(rank) +
                              (reinterpret_cast<const std::byte*>(mine) - first));
}

}  // namespace measured
