// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_DRIVER_COMMAND_LINE_HPP
#define IDC_DRIVER_COMMAND_LINE_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace idc::driver {

// The command line is wrong: one sentence. Exit status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class action : std::uint8_t { none, help, version, check, print, types, core, run };

struct options {
  action what = action::none;
  int errors_max = 20;
  std::string file;
  std::vector<std::string> arguments;  // of main
};

options read_command_line(const std::vector<std::string>& words);
std::string help_text();

}  // namespace idc::driver

#endif
