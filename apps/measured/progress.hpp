// SPDX-License-Identifier: Apache-2.0
// One line on stderr that says how far a long measurement is. Silent where stderr is not a
// terminal, at all ranks but kRoot, and for the first second.
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "program.hpp"

namespace measured {

class progress {
 public:
  progress() : seen_(ramjet::rank() == kRoot && stderr_is_seen()), due_(clock::now() + kSilence) {}
  ~progress() {
    if (drawn_) fmt::print(stderr, "{}", kEndOfLine);
  }
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;

  // What begins now. text() is called only if the line is drawn.
  template <class Text>
  void show(Text&& text) {
    if (!seen_ || clock::now() < due_) return;
    due_ = clock::now() + kBetween;
    drawn_ = true;
    fmt::print(stderr, "{}{}", std::forward<Text>(text)(), kEndOfLine);
    std::fflush(stderr);
  }

 private:
  using clock = std::chrono::steady_clock;

  static constexpr std::chrono::milliseconds kSilence{1000}, kBetween{100};
  // What stood here goes; back to the first column.
  static constexpr const char* kEndOfLine = "\033[K\r";

  // A launcher that forwards our output to its terminal says so by that one's width.
  static bool stderr_is_seen() {
    const char* columns = std::getenv("RAMJET_STDERR_COLUMNS");
    return ::isatty(STDERR_FILENO) == 1 || (columns != nullptr && std::atoi(columns) > 0);
  }

  bool seen_;
  bool drawn_ = false;
  clock::time_point due_;
};

}  // namespace measured
