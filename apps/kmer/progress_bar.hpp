// SPDX-License-Identifier: Apache-2.0
// One line on stderr that says how far a long run is. Silent where stderr is not a terminal, and
// for the first second.
#pragma once

#include <chrono>
#include <cstdint>

namespace kmer {

class progress_bar {
 public:
  explicit progress_bar(std::uint64_t total_bytes);
  ~progress_bar() { clear(); }
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  // What follows is another part of the run, of `total_bytes`.
  void begin(const char* what, std::uint64_t total_bytes);
  // `bytes` more have been read. Never waits for anything but the terminal.
  void add(std::uint64_t bytes) {
    done_bytes_ += bytes;
    if (terminal_) draw_if_due();
  }
  // Takes the line off the screen.
  void clear();

 private:
  using clock = std::chrono::steady_clock;

  void draw_if_due();
  void draw(double seconds);

  const char* what_ = "reading";
  std::uint64_t total_bytes_;  // 0: unknown
  std::uint64_t done_bytes_ = 0;
  bool terminal_;
  bool drawn_ = false;
  clock::time_point start_ = clock::now();  // of the part
  clock::time_point due_;
};

}  // namespace kmer
