// SPDX-License-Identifier: Apache-2.0
// A job that goes on when one of its ranks dies: work is dealt out by calls, and what a dead rank
// was given is done by another.
//
//   ramjet run -n 4 --on-failure=continue survivors
//
// The job's exit status is still that of the rank that failed, 137 here.
#include <csignal>
#include <cstdio>

#include "ramjet/ramjet.hpp"

namespace {

long long square(long long x) {
  // Rank 1 falls over in the middle of its work.
  if (ramjet::rank() == 1 && ramjet::size() > 2 && x > 20) std::raise(SIGKILL);
  return x * x;
}

bool finished = false;
void on_finished() { finished = true; }

long long add_squares(int numbers) {
  long long sum = 0;
  int worker = 0;
  for (int x = 0; x < numbers;) {
    worker = (worker + 1) % ramjet::size();
    if (!ramjet::alive(worker)) continue;
    ramjet::future<long long> result = ramjet::call<square>(worker, x);
    if (result.wait() == ramjet::status::ok) {
      sum += result.get();
      ++x;
    } else {  // peer_failed: ask somebody else
      const ramjet::lost_rank lost = ramjet::last_failure();
      std::printf("rank %d died of signal %d; going on without it\n", lost.rank, lost.signal);
    }
  }
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  int result = 0;
  if (ramjet::rank() == 0) {
    const long long sum = add_squares(100);
    std::printf("the sum of the first 100 squares is %lld\n", sum);
    result = sum == 328350 ? 0 : 1;
    for (int r = 1; r < ramjet::size(); ++r)
      static_cast<void>(ramjet::request<on_finished>(r));  // peer_failed for the dead one
  } else {
    // A death ends the wait with an error; the next wait goes on.
    while (ramjet::wait_until([] { return finished; }) != ramjet::status::ok) {
    }
  }
  ramjet::finalize();
  return result;
}
