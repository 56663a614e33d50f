// SPDX-License-Identifier: Apache-2.0
// For how long nothing was heard of a rank or a node, in time in which the judge itself ran.
//
// Whoever watches looks at the silent thread from time to time, where the system shows it. The time
// between two looks does not count if the thread wanted a processor all the time and got none: it
// is starved, not dead.
//
// Threads: one.
#pragma once

#include <cstdint>

namespace ramjet::mesh {

class silence_clock {
 public:
  // `stamp` changes with each sign of life. `elapsed_ns` since the last call, without the time in
  // which the caller did not run.
  void advance(std::uint64_t stamp, std::uint64_t elapsed_ns) noexcept {
    if (stamp != stamp_) {
      stamp_ = stamp;
      silent_ns_ = looked_at_ns_ = 0;
    } else {
      silent_ns_ += elapsed_ns;
    }
  }
  std::uint64_t silent_ns() const noexcept { return silent_ns_; }
  // How much of it came after the last look.
  std::uint64_t unseen_ns() const noexcept { return silent_ns_ - looked_at_ns_; }
  // A look found the thread starved since the last one, or not.
  void look(bool is_starved) noexcept {
    if (is_starved) silent_ns_ = looked_at_ns_;
    looked_at_ns_ = silent_ns_;
  }

 private:
  std::uint64_t stamp_ = 0;
  std::uint64_t silent_ns_ = 0;
  std::uint64_t looked_at_ns_ = 0;  // silent_ns_ at the last look, <= silent_ns_
};

}  // namespace ramjet::mesh
