// SPDX-License-Identifier: Apache-2.0
// A program whose OpenMP would start four threads in each rank.
#include "ramjet/ramjet.hpp"

extern "C" int omp_get_max_threads(void) { return 4; }

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  ramjet::finalize();
}
