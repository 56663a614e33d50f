// SPDX-License-Identifier: Apache-2.0
// The main of a subcommand of `ramjet` that is a program of its own: RAMJET_SUBCOMMAND is its
// function.
#include <cstdio>
#include <exception>

#include "commands.hpp"

int main(int argc, char** argv) {
  try {
    return RAMJET_SUBCOMMAND(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", RAMJET_SUBCOMMAND_NAME, e.what());
    return 1;
  }
}
