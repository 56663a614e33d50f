// SPDX-License-Identifier: Apache-2.0
// The hang report where no launcher of ours prints it: a rank reads the memory of its node and
// writes what the ranks there do to standard error. Asked by SIGUSR1, of whatever rank, one of the
// node does it; after a standstill the first one that runs.
//
// Threads: it belongs to the one that drives it; the signal may come on any. That one is not the
// main thread, which may compute or wait.
#pragma once

#include <cstdint>
#include <string>

#include "job/join.hpp"
#include "report/node_memory.hpp"
#include "report/stall_watch.hpp"

namespace ramjet::report {

using namespace ramjet::job;

class node_report {
 public:
  // Takes SIGUSR1, unless the program has. `object`: the node's; closed at the end.
  node_report(const membership& job, int object);
  ~node_report();
  node_report(const node_report&) = delete;
  node_report& operator=(const node_report&) = delete;

  // Readable once this rank has been asked; -1: never is.
  static int descriptor() noexcept;
  std::uint64_t next_check_ns() const { return stall_.next_check_ns(); }  // 0: never
  // What is due by now: to be called when the descriptor is readable, and at next_check_ns.
  void check();

 private:
  void check_stall(std::uint64_t now_ns);
  bool take_turn(std::uint64_t now_ns);
  bool speaks_for_node() const;
  void report(const std::string& why);

  const membership& job_;
  const int object_;
  const node_memory memory_;
  readable_job readable_;
  stall_watch stall_;
};

}  // namespace ramjet::report
