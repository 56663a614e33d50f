// SPDX-License-Identifier: Apache-2.0
// Running other programs: the C compiler in its parts.
#ifndef FRONTEND_TOOLCHAIN_PROCESSES_HPP
#define FRONTEND_TOOLCHAIN_PROCESSES_HPP

#include <string>
#include <vector>

namespace frontend {

using command = std::vector<std::string>;

struct run_result {
  int status = 0;      // of its exit; 128 + the signal if one ended it
  std::string output;  // of standard output and error where they were to be caught
  std::string errors;
};

// Runs to the end. `catch_output`: standard output and error come back instead of going where ours
// go. `input`: what it reads, else ours. Throws failure if it cannot be started.
run_result run(const command& words, bool catch_output = false, const std::string* input = nullptr);

// As it would be typed into a shell.
std::string in_shell_words(const command& words);

}  // namespace frontend

#endif
