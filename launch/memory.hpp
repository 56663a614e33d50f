// SPDX-License-Identifier: Apache-2.0
// All the memory of a job as its launcher holds it: a memory object for each node that it plays on
// this machine, and, if there are several, the directory by which their ranks find each other.
//
// What a rank shows of itself stands in the object of its own node; a death is noted there alone,
// as on a machine of its own. Other nodes learn of it by the network.
//
// Threads: the launcher's one.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "job/bootstrap/directory.hpp"
#include "launch/object.hpp"

namespace ramjet::launcher {

using namespace ramjet::job;

class job_memory {
 public:
  job_memory() = default;
  ~job_memory();
  job_memory(const job_memory&) = delete;
  job_memory& operator=(const job_memory&) = delete;

  // 1 <= nodes <= ranks. The descriptors get numbers from `descriptor_min` on, as far as free.
  problem create(unsigned ranks, unsigned nodes, node::failure_policy policy, int descriptor_min);
  // How many descriptors that takes.
  static unsigned descriptors(unsigned nodes) { return nodes == 1 ? 1 : nodes + 1; }

  unsigned ranks() const { return job_.ranks; }
  unsigned nodes() const { return job_.nodes; }
  unsigned node_of(unsigned rank) const { return job_.node_of[rank]; }
  std::uint64_t secret() const { return job_.secret; }
  const node_memory& node(unsigned index) const { return objects_[index]->memory(); }
  const node_memory& home_of(unsigned rank) const { return node(node_of(rank)); }
  const readable_job& readable() const { return readable_; }
  rank_line& line(unsigned rank) const { return home_of(rank).line(rank); }
  int directory_descriptor() const { return directory_.descriptor; }  // -1: one node

  // Whether every rank has joined: from then on a death keeps nobody from starting.
  bool has_started() const;
  // The exit status with which a rank of this rank's node has ended the whole job; -1: none has.
  int ended_with(unsigned rank) const;

  // Notes the rank's death for the ranks of its node, and for those that still wait for its card.
  void note_failure(unsigned rank, int signal, int exit_status) const;

 private:
  problem create_directory(int descriptor_min);

  job_identity job_;
  std::vector<std::unique_ptr<job_object>> objects_;  // by node
  readable_job readable_;
  memory_file directory_;
};

}  // namespace ramjet::launcher
