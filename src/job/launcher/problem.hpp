// SPDX-License-Identifier: Apache-2.0
// What kept a step of the launcher from succeeding, as the user will read it: one sentence that
// says what to do, and the exit status that goes with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ramjet::job {

struct problem {
  int exit_status = 0;  // 0: there is none
  std::string sentence;

  explicit operator bool() const { return exit_status != 0; }
};

inline constexpr int kUsageStatus = 2;  // the command line is wrong

// printf into a string.
[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...);

// "850 us", "12 ms", "5.2 s", "7 min 3 s".
std::string duration_text(std::uint64_t nanoseconds);

// The text of an errno value.
std::string errno_text(int error);

// For calls that fail mostly for want of descriptors: "cannot WHAT: <errno>; raise the limit ...".
problem out_of_files(const char* what);

// "rank 0", "ranks 0-3 and 7", "ranks 0, 2, 4 and 9 others"; `ranks` ascending and not empty.
std::string ranks_text(const std::vector<unsigned>& ranks);

}  // namespace ramjet::job
