// SPDX-License-Identifier: Apache-2.0
// The smallest program of a user: every rank says who it is.
#include <ramjet/ramjet.hpp>

#include <cstdio>

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  std::printf("rank %d of %d\n", ramjet::rank(), ramjet::size());
  ramjet::barrier();
  ramjet::finalize();
}
