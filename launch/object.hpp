// SPDX-License-Identifier: Apache-2.0
// The launcher's hold on a node's shared memory object: an anonymous file that only descriptors
// name, so nothing of it can be left behind. The launcher maps the board alone; the ranks grow the
// object.
//
// Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "launch/problem.hpp"
#include "node/board.hpp"
#include "report/node_memory.hpp"

namespace ramjet::launcher {

using namespace ramjet::node;

// What the objects of all nodes say alike.
struct job_identity {
  unsigned ranks = 1;
  node::failure_policy policy = node::failure_policy::abort;
  std::uint64_t secret = 0;
  std::vector<std::uint16_t> node_of;  // of each rank
  unsigned nodes = 1;
};

// A file of zeroed memory that cannot shrink, mapped. `descriptor_min`: the number that the
// descriptor should have, or the next free one above; `what` names it in messages.
struct memory_file {
  int descriptor = -1;
  void* memory = nullptr;
};
problem create_memory_file(const char* what, std::size_t bytes, int descriptor_min,
                           memory_file& created);

class job_object {
 public:
  job_object() = default;
  ~job_object();
  job_object(const job_object&) = delete;
  job_object& operator=(const job_object&) = delete;

  // `descriptor_min`: as above.
  problem create(const job_identity& job, unsigned node, int descriptor_min);

  const node_memory& memory() const { return *memory_; }  // once it is created

  // Notes a rank's death for the ranks of this node, and wakes them.
  void note_failure(unsigned rank, int signal, int exit_status) const;

 private:
  std::size_t board_bytes_ = 0;
  memory_file file_;
  std::unique_ptr<node_memory> memory_;
};

}  // namespace ramjet::launcher
