// SPDX-License-Identifier: Apache-2.0
#include "tools/command/command_line.hpp"

#include <cstdio>

#include "tools/cli/printable.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"

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
  const std::string shown = console::printable(sentence);
  std::fprintf(stderr, "%s: %s (see %s --help)\n", command, shown.c_str(), command);
  return kUsageStatus;
}

int fail(const char* command, const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", command, console::printable(sentence).c_str());
  return 1;
}

}  // namespace tools
