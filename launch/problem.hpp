// SPDX-License-Identifier: Apache-2.0
// What kept a step of the launcher from succeeding, as the user will read it: one sentence that
// says what to do, and the exit status that goes with it.
#pragma once

#include <string>

#include "report/text.hpp"

namespace ramjet::launcher {

using namespace ramjet::report;

struct problem {
  int exit_status = 0;  // 0: there is none
  std::string sentence;

  explicit operator bool() const { return exit_status != 0; }
};

inline constexpr int kUsageStatus = 2;  // the command line is wrong

// The text of an errno value.
std::string errno_text(int error);

// For calls that fail mostly for want of descriptors: "cannot WHAT: <errno>; raise the limit ...".
problem out_of_files(const char* what);

}  // namespace ramjet::launcher
