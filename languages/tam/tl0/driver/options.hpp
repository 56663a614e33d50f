// SPDX-License-Identifier: Apache-2.0
// The command line of tl0.
#ifndef TL0_DRIVER_OPTIONS_HPP
#define TL0_DRIVER_OPTIONS_HPP

#include <string>
#include <vector>

#include "languages/support/failure.hpp"
#include "languages/support/messages.hpp"
#include "languages/support/toolchain/tam_program.hpp"

namespace tl0::driver {

enum class action : std::uint8_t {
  check,
  help,
  version,
  run,
  print,
  dot,
  svg,
  translate,
  compile  // to a program; what -o asks for where nothing else is asked
};

struct options {
  action what = action::check;
  bool was_asked = false;  // for an action; -fsyntax-only is one, too
  std::string input;       // "-": standard input
  std::string output;      // empty: as the action says
  bool with_counts = false;  // --run: says at the end what was executed
  frontend::message_options messages;
  frontend::tam_program_options program;
  std::vector<std::string> arguments;  // of the program that is run
};

using frontend::usage_error;

options read_command_line(const std::vector<std::string>& words);
std::string help_text();

}  // namespace tl0::driver

#endif
