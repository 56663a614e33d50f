// SPDX-License-Identifier: Apache-2.0
// The jobs of this user that run on this machine, found from outside: by the memory objects that
// their launchers and ranks hold open (/proc/PID/fd). Such an object has no name, and the kernel
// lets its owner alone open it.
//
// Nothing of an object is mapped, and it is opened for reading only: an observer can neither
// disturb a job nor be hurt by memory that is damaged, or shrinks. Every look copies the board and
// checks it.
//
// Threads: one.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "report/node_memory.hpp"

namespace ramjet::monitor {

// A process that holds a job's memory, or is one of its ranks.
struct job_process {
  pid_t pid = 0;
  std::uint64_t started_ticks = 0;
  bool operator==(const job_process&) const = default;
};

// The memory object of one node, opened for reading.
class open_object {
 public:
  explicit open_object(int descriptor) : fd_(descriptor) {}
  ~open_object();
  open_object(const open_object&) = delete;
  open_object& operator=(const open_object&) = delete;

  // Copies the board. Why this is not a job's memory that can be read; nullptr if it is.
  const char* refresh();

  // After a refresh that went well.
  const node::board& the_board() const { return *board_; }
  const report::node_memory& memory() const { return *memory_; }

 private:
  const int fd_;
  std::unique_ptr<std::byte[]> bytes_;  // the board stands in it, aligned
  node::board* board_ = nullptr;
  std::optional<report::node_memory> memory_;
};

class attached_job {
 public:
  // Its launcher, where that holds the memory; else the rank that made it.
  pid_t id() const { return holders_.front().pid; }
  unsigned ranks() const { return ranks_; }
  unsigned nodes() const { return nodes_; }
  unsigned nodes_seen() const { return unsigned(objects_.size()); }
  std::string command() const;  // of rank 0, or of a rank that is here
  // Whether the process holds its memory, or is a rank.
  bool has(pid_t pid) const;
  // Whether the process has started one of these, as mpirun does.
  bool descends_from(pid_t pid) const;

  // Whether none of its processes lives.
  bool is_over() const;
  // Reads the boards anew. False and why, in half a sentence, if they are damaged.
  bool refresh(std::string& why);
  const report::readable_job& readable() const { return readable_; }

 private:
  friend class job_search;

  std::vector<job_process> known_processes() const;

  std::vector<std::unique_ptr<open_object>> objects_;
  std::vector<job_process> holders_;  // the oldest first
  unsigned ranks_ = 0, nodes_ = 0;
  report::readable_job readable_;
};

// All jobs of this user here, the oldest first.
std::vector<std::unique_ptr<attached_job>> find_jobs();

// The job that a process belongs to, or has started; nullptr and a sentence if there is none that
// can be looked at.
std::unique_ptr<attached_job> find_job_of(pid_t pid, std::string& message);

}  // namespace ramjet::monitor
