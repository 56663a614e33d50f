// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <cstdio>

#include "commands.hpp"
#include "output.hpp"

namespace tools {

std::optional<int> read(const char* command, console::command_line& line, int argc,
                        const char* const* argv) {
  try {
    line.read(argc, argv);
  } catch (const console::help_wanted& help) {
    return print(help.what());
  } catch (const console::usage_error& wrong) {
    return refuse(command, wrong.what());
  }
  return std::nullopt;
}

int refuse(const char* command, const std::string& sentence) {
  std::fprintf(stderr, "%s: %s (see %s --help)\n", command, sentence.c_str(), command);
  return kUsageStatus;
}

}  // namespace tools
