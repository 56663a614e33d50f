// SPDX-License-Identifier: Apache-2.0
#ifndef IDC_DRIVER_COMMAND_LINE_HPP
#define IDC_DRIVER_COMMAND_LINE_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "languages/support/failure.hpp"
#include "languages/support/toolchain/tam_program.hpp"

namespace idc::driver {

using frontend::usage_error;

enum class action : std::uint8_t {
  none,
  help,
  version,
  check,
  print,
  types,
  core,
  graph,
  threads,
  tl0,
  run,
  run_tl0,
  compile  // to a program; what -o asks for where nothing else is asked
};

struct options {
  action what = action::none;
  int errors_max = 20;
  int loop_bound = 0;  // 0: none
  std::string file;
  std::string output = "-";  // of tl0 and of compile
  frontend::tam_program_options program;
  std::vector<std::string> arguments;  // of main
};

options read_command_line(const std::vector<std::string>& words);
std::string help_text();

}  // namespace idc::driver

#endif
