// SPDX-License-Identifier: Apache-2.0
// A rank that computes without a poll, and others that read from it: who answers them, and when.
//
//   ramjet run -n 4 busy_owner                       its own next poll
//   ramjet run -n 4 --progress=coproc busy_owner     its co-processor, at once
//   ramjet run -n 4 --nodes 2 --progress=coproc busy_owner
#include <chrono>
#include <cstdio>

#include "ramjet/ramjet.hpp"

namespace {

using clock_type = std::chrono::steady_clock;
constexpr auto kSlice = std::chrono::milliseconds(50);
constexpr long kAnswer = 42;

// Nobody writes it once the ranks have met, so that two threads may read it.
long table = 0;

long look_up() { return table; }

double milliseconds_since(clock_type::time_point start) {
  return std::chrono::duration<double, std::milli>(clock_type::now() - start).count();
}

void compute() {
  for (const auto start = clock_type::now(); clock_type::now() - start < kSlice;) {
  }
}

}  // namespace

// look_up may run beside its rank's main program: on a co-processor, where the job has them.
template <>
inline constexpr bool ramjet::coproc_safe<&look_up> = true;

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int me = ramjet::rank(), owner = 0;
  if (me == owner) table = kAnswer;
  ramjet::barrier();
  double waited = 0;
  bool right = true;
  if (me == owner) {
    compute();
  } else {
    const auto start = clock_type::now();
    right = ramjet::call<look_up>(owner).get() == kAnswer;
    waited = milliseconds_since(start);
  }
  if (ramjet::size() == 1)
    std::printf("one rank alone waits for nobody: ramjet run -n 2 busy_owner shows more\n");
  for (int r = 1; r < ramjet::size(); ++r) {  // one after the other
    ramjet::barrier();
    if (r == me)
      std::printf("rank %d on machine %d waited %.1f ms for rank %d on machine %d\n", me,
                  ramjet::node_of(me), waited, owner, ramjet::node_of(owner));
    std::fflush(stdout);
  }
  ramjet::finalize();
  return right ? 0 : 1;
}
