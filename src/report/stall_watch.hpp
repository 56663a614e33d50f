// SPDX-License-Identifier: Apache-2.0
// Notices that a job, or what can be seen of it, stands still: no counter of any rank has changed
// for a while, and some rank has been waiting at least as long. Says so once per standstill.
//
// Threads: one.
#pragma once

#include <cstdint>

#include "report/node_memory.hpp"

namespace ramjet::report {

class stall_watch {
 public:
  // `patience_ns` 0: never checks.
  explicit stall_watch(std::uint64_t patience_ns);

  std::uint64_t next_check_ns() const { return next_check_ns_; }  // 0: never
  // To be called at next_check_ns; true when a standstill is to be reported. By how much it is
  // called later does not count: after Ctrl-Z and `fg` the patience goes on where it was.
  bool check(const readable_job& job, std::uint64_t now_ns);

 private:
  std::uint64_t patience_ns_;
  std::uint64_t next_check_ns_ = 0;
  std::uint64_t activity_ = 0;    // as last read
  // When it was last seen to change, moved by all lateness since; 0: never read.
  std::uint64_t changed_ns_ = 0;
  bool reported_ = false;         // since it last changed
};

}  // namespace ramjet::report
