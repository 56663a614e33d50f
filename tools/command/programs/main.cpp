// SPDX-License-Identifier: Apache-2.0
// The main of a subcommand of `ramjet` that is a program of its own: RAMJET_SUBCOMMAND is its
// function.
#include <cstdio>
#include <exception>
#include <new>

#include "base/out_of_memory.hpp"
#include "tools/command/commands.hpp"

int main(int argc, char** argv) {
  ramjet::base::report_uncaught_bad_alloc();
  try {
    return RAMJET_SUBCOMMAND(argc, argv);
  } catch (const std::bad_alloc&) {
    ramjet::base::report_out_of_memory(RAMJET_SUBCOMMAND_NAME);
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s: %s\n", RAMJET_SUBCOMMAND_NAME, e.what());
    return 1;
  }
}
