// SPDX-License-Identifier: Apache-2.0
// Runs whole commands and takes their time.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/json.hpp"

namespace bench {

struct finished {
  int exit_status = -1;  // 128 + signal if one killed it; -1 if it could not be started
  double seconds = 0;    // from before it starts until it is reaped
  std::string output;    // its standard output, if asked for
};

// Thrown once the commands have ended because a signal asked this process to end.
struct interrupted {
  int signal;
};

enum class output_of_command { discard, keep };

// Looks the program up in PATH. Standard input is empty; standard error is ours, or dropped.
finished run_command_line(const std::vector<std::string>& words,
                          output_of_command output = output_of_command::discard,
                          bool show_errors = true);

// Several at a time; the time until all have ended, in seconds, negative if one failed.
double run_side_by_side(const std::vector<std::string>& words, unsigned copies);

// What a program prints as JSON; throws std::runtime_error, with its name, if it fails or prints
// none.
console::json report_of(const std::vector<std::string>& words, const std::string& name);

bool is_installed(const std::string& program);

// A folder of its own that goes away with its contents.
class scratch_folder {
 public:
  scratch_folder();
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  bool exists() const { return !path_.empty(); }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace bench
