// SPDX-License-Identifier: Apache-2.0
// Messages that run in threads of their own: a handler that blocks, calls and replies when it is
// ready; calls that block only their thread; the same with coroutines.
#include <cstdio>
#include <vector>

#include "ramjet/coroutine.hpp"
#include "ramjet/ramjet.hpp"
#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"

namespace ult = ramjet::ult;

namespace {

long square(long x) { return x * x; }

// Goes round all ranks; a thread waits at each of them.
long sum_of_ranks(int left) {
  if (left == 0) return 0;
  const int next = (ramjet::rank() + 1) % ramjet::size();
  return ramjet::rank() + ramjet::spawn_call<sum_of_ranks>(next, left - 1).get();
}

long result = 0;
ult::semaphore answered(0);

void on_answer(ramjet::reply_token, long value) {
  result = value;
  answered.release();
}

// Asks its client back before it answers: no ordinary handler could.
void on_question(ramjet::thread_token client, long x) {
  const long squared = ramjet::call<square>(client.source(), x).get();
  ramjet::reply<on_answer>(std::move(client), squared + 1);
}

ramjet::task<long> fourth_power(int at, long x) {
  const long squared = co_await ramjet::call<square>(at, x);
  co_return co_await ramjet::call<square>(at, squared);
}

}  // namespace

int main(int argc, char** argv) {
  ramjet::init(argc, argv);
  const int peer = (ramjet::rank() + 1) % ramjet::size();

  // 16 threads, each in blocking calls: their round trips overlap.
  std::vector<ult::thread<long>> callers;
  for (long i = 0; i < 16; ++i)
    callers.push_back(ult::spawn([peer, i] {
      long sum = 0;
      for (long k = 0; k < 100; ++k) sum += ramjet::call<square>(peer, i).get();
      return sum;
    }));
  long sum = 0;
  for (const auto& c : callers) sum += c.join();

  ramjet::spawn_request<on_question>(peer, 6L);
  answered.acquire();

  const long ranks = ramjet::spawn_call<sum_of_ranks>(peer, ramjet::size()).get();
  const long power = fourth_power(peer, 3).get();
  ramjet::barrier();
  if (ramjet::rank() == 0)
    std::printf("sum %ld, answer %ld, ranks %ld, power %ld\n", sum, result, ranks, power);
  const long of_ranks = long(ramjet::size()) * (ramjet::size() - 1) / 2;
  const bool right = sum == 124'000 && result == 37 && ranks == of_ranks && power == 81;
  ramjet::finalize();
  return right ? 0 : 1;
}
