// SPDX-License-Identifier: Apache-2.0
// How the commands read their command lines, and in what words they refuse them.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace tools {

// Fills in the app's options. Returns the exit status if the command is to end: the help has been
// printed, or standard error has said what is wrong. argv[0] is the command's name.
std::optional<int> parse(CLI::App& app, int argc, const char* const* argv);

// Says on one line what is wrong with the command line. Returns the exit status.
int refuse(const CLI::App& app, const std::string& sentence);

}  // namespace tools
