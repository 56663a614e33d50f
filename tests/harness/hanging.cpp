// SPDX-License-Identifier: Apache-2.0
// A job that hangs: rank 1 sleeps in a function with a name, the others wait for it in a barrier.
#include <unistd.h>

#include <cstdio>

#include "ramjet/ramjet.hpp"

extern "C" [[gnu::noinline]] void sleeps_for_ever() {
  for (;;) ::pause();
}

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  if (ramjet::rank() == 0) {
    std::printf("seed 4711\n");
    std::fflush(stdout);
  }
  if (ramjet::rank() == 1) sleeps_for_ever();
  static_cast<void>(ramjet::barrier());
  ramjet::finalize();
}
