// SPDX-License-Identifier: Apache-2.0
// Subcommands that are programs of their own, `ramjet-NAME`: what few jobs need is not in the
// command, which is quick to build and to start.
#pragma once

#include <filesystem>
#include <string>

namespace tools {

// Becomes the program of this subcommand with these arguments; argv[0] is replaced. Returns the
// exit status if it cannot, after standard error has said why.
int become_program(const std::string& name, char** argv);

// The other way: where such a program finds the command `ramjet`.
std::filesystem::path command_path();

}  // namespace tools
