// SPDX-License-Identifier: Apache-2.0
// Threads that communicate by themselves: each opens an endpoint of its own, and no lock is needed.
//
//   ramjet run -n 2 threads_endpoints
//
// Threads: a worker's endpoint and everything that its handlers touch belong to that worker.
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "ramjet/ramjet.hpp"

namespace {

constexpr unsigned kWorkers = 3;  // endpoints 1 to 3; endpoint 0 is the main thread's

struct tally {
  unsigned asked = 0;
  unsigned long long sum = 0;
};
thread_local tally mine;
std::atomic<bool> complete{true};

// Runs on the thread that owns the endpoint to which the message went.
void on_number(ramjet::request_token token, unsigned number) {
  ++mine.asked;
  mine.sum += number + token.source().endpoint;
}

void work(unsigned index) {
  ramjet::endpoint own(index);  // the free functions of this thread use it from here on
  mine = {};
  ramjet::barrier();  // of the endpoints with this index, in all ranks

  constexpr unsigned kNumbers = 1000;
  for (unsigned i = 0; i < kNumbers; ++i)
    for (int r = 0; r < ramjet::size(); ++r)
      ramjet::request<on_number>({r, index}, i);  // rank and endpoint: to that thread there
  ramjet::quiesce();

  const unsigned expected = kNumbers * unsigned(ramjet::size());
  if (mine.asked != expected) complete = false;
  std::printf("rank %d, endpoint %u: %u numbers, sum %llu\n", ramjet::rank(), own.index(),
              mine.asked, mine.sum);
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::options wanted;
  wanted.endpoints = 1 + kWorkers;  // the same in every rank
  ramjet::init(argc, argv, wanted);

  std::vector<std::thread> workers;
  for (unsigned index = 1; index <= kWorkers; ++index) workers.emplace_back(work, index);
  for (std::thread& worker : workers) worker.join();

  ramjet::finalize();
  return complete ? 0 : 1;
}
