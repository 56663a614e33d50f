// SPDX-License-Identifier: Apache-2.0
// A variable that the neighbour writes.
#include <ramjet/ramjet.hpp>

#include <cstdio>

RAMJET_SYMMETRIC int written = -1;

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int me = ramjet::rank(), ranks = ramjet::size();
  ramjet::write(ramjet::global_ptr<int>((me + 1) % ranks, &written), me);
  if (ramjet::barrier() != ramjet::status::ok) return 1;
  if (written == (me + ranks - 1) % ranks) std::printf("rank %d of %d\n", me, ranks);
  ramjet::finalize();
}
