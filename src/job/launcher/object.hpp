// SPDX-License-Identifier: Apache-2.0
// The launcher's hold on a node's shared memory object: an anonymous file that only descriptors
// name, so nothing of it can be left behind. The launcher maps the board alone; the ranks grow the
// object, and what lies behind the board is read with pread: reading a hole through a mapping would
// allocate its page.
//
// Threads: one. The ranks write what is read here, so every number is checked before it is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "job/board.hpp"
#include "job/launcher/problem.hpp"

namespace ramjet::job {

// What the objects of all nodes say alike.
struct job_identity {
  unsigned ranks = 1;
  failure_policy policy = failure_policy::abort;
  std::uint64_t secret = 0;
  std::vector<std::uint16_t> node_of;  // of each rank
  unsigned nodes = 1;
};

class job_object {
 public:
  job_object() = default;
  ~job_object();
  job_object(const job_object&) = delete;
  job_object& operator=(const job_object&) = delete;

  // `descriptor_min`: the number that the descriptor should have, or the next free one above.
  problem create(const job_identity& job, unsigned node, int descriptor_min);

  int descriptor() const { return fd_; }
  unsigned ranks() const { return ranks_; }  // of the job
  // Whether the rank is of this node: only what belongs to these is ever read.
  bool is_home_of(unsigned rank) const { return members_[rank]; }
  board& the_board() const { return *board_; }
  rank_line& line(unsigned rank) const { return rank_lines(board_)[rank]; }
  std::uint64_t bytes() const;  // of the object, as the ranks have grown it

  // The layout, once the ranks have agreed on it, and if it can be true of this object.
  bool read_layout(geometry& out) const;

  // Fills `out` from `offset`; bytes behind the end are zero.
  void read(std::uint64_t offset, std::span<std::byte> out) const;

  // Tells the ranks of this node of a failure and wakes them.
  void tell_failure(unsigned rank, int signal, int exit_status) const;

 private:
  int fd_ = -1;
  unsigned ranks_ = 0;
  std::vector<bool> members_;  // by rank
  board* board_ = nullptr;
};

// A file of zeroed memory that cannot shrink, mapped. `descriptor_min`: as above; `what` names it
// in messages.
struct memory_file {
  int descriptor = -1;
  void* memory = nullptr;
};
problem create_memory_file(const char* what, std::size_t bytes, int descriptor_min,
                           memory_file& created);

// Why this layout cannot be that of an object of `bytes` for so many ranks; nullptr if it can.
const char* layout_defect(const geometry& layout, unsigned ranks, std::uint64_t bytes);

}  // namespace ramjet::job
