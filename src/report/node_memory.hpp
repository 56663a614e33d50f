// SPDX-License-Identifier: Apache-2.0
// A node's shared memory object, as those read it who report what its ranks do: the launcher, and a
// rank of the node. The board is mapped; what lies behind it is read with pread: reading a hole
// through a mapping would allocate its page.
//
// Owns nothing. Threads: one. The ranks write what is read here, so every number is checked before
// it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node/board.hpp"

namespace ramjet::report {

using namespace ramjet::node;

class node_memory {
 public:
  // `node_of`: the node of each rank of the job; `node`: this one.
  node_memory(int descriptor, board* mapped, std::span<const std::uint16_t> node_of, unsigned node);

  int descriptor() const { return fd_; }
  unsigned ranks() const { return unsigned(members_.size()); }  // of the job
  // Whether the rank is of this node: only what belongs to these is ever read.
  bool is_home_of(unsigned rank) const { return members_[rank]; }
  bool is_whole_job() const;  // every rank is of this node
  board& the_board() const { return *board_; }
  rank_line& line(unsigned rank) const { return rank_lines(board_)[rank]; }
  std::uint64_t bytes() const;  // of the object, as the ranks have grown it

  // The layout, once the ranks have agreed on it, and if it can be true of this object.
  bool read_layout(geometry& out) const;
  // Where the region is that holds an array of `count` T; 0: there is none, or it is shorter.
  template <class T>
  static std::uint64_t region_offset(const geometry& layout, const char* name,
                                     std::uint64_t count) {
    const region_entry* found = find_region(layout, name, count * sizeof(T));
    return found == nullptr ? 0 : found->offset;
  }

  // Fills `out` from `offset`; bytes behind the end are zero.
  void read(std::uint64_t offset, std::span<std::byte> out) const;

 private:
  int fd_;
  board* board_;
  std::vector<bool> members_;  // by rank
};

// What one process can read of a job: the launcher that plays all its nodes on one machine all of
// it, a rank its own node.
struct readable_job {
  std::vector<std::uint16_t> node_of;  // of each rank
  std::vector<const node_memory*> memories;  // by node; nullptr: cannot be read from here

  unsigned ranks() const { return unsigned(node_of.size()); }
  unsigned nodes() const { return unsigned(memories.size()); }
  bool is_seen(unsigned rank) const { return memories[node_of[rank]] != nullptr; }
  // Where it stands what became of the rank: with its own node, or with one that has heard of it.
  const rank_line& line(unsigned rank) const;
};

}  // namespace ramjet::report
