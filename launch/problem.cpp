// SPDX-License-Identifier: Apache-2.0
#include "launch/problem.hpp"

#include <cerrno>
#include <system_error>

namespace ramjet::launcher {

std::string errno_text(int error) { return std::generic_category().message(error); }

problem out_of_files(const char* what) {
  return {1, text("cannot %s: %s; raise the limit of open files (ulimit -n)", what,
                  errno_text(errno).c_str())};
}

}  // namespace ramjet::launcher
