// SPDX-License-Identifier: Apache-2.0
// How the commands end where their command line asks for help, or is wrong.
#pragma once

#include <optional>
#include <string>

#include "tools/cli/command_line.hpp"

namespace tools {

// Fills in the values. Returns the exit status if the command is to end: the help has been printed,
// or standard error has said what is wrong. argv[0] is the command's name.
std::optional<int> read(const char* command, console::command_line& line, int argc,
                        const char* const* argv);

// Says on one line what is wrong with the command line. Returns the exit status.
int refuse(const char* command, const std::string& sentence);

// Says on one line what went wrong. Returns the exit status, 1. Words of files and of command lines
// in the sentence cannot steer the terminal, here and above.
int fail(const char* command, const std::string& sentence);

}  // namespace tools
