// SPDX-License-Identifier: Apache-2.0
// User-level threads by themselves: no job is needed, though one does no harm. Results and
// exceptions, posted conditions, a channel between two threads, tasks over all workers.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "ramjet/ult.hpp"

namespace ult = ramjet::ult;

namespace {

// Ten threads pass a turn on: each posts the condition that it is its own.
long pass_turns(int rounds) {
  volatile int turn = 0;
  long turns = 0;
  std::vector<ult::thread<>> ring;
  for (int i = 0; i < 10; ++i)
    ring.push_back(ult::spawn([&, i] {
      for (int r = 0; r < rounds; ++r) {
        ult::wait_until(ult::value(turn) == i);
        ++turns;
        turn = (i + 1) % 10;
      }
    }));
  for (const auto& t : ring) t.join();
  return turns;
}

// One thread makes numbers, another adds them up.
long through_a_channel(int count) {
  ult::channel<int> numbers(8);
  auto maker = ult::spawn({.name = "maker"}, [&] {
    for (int i = 1; i <= count; ++i) numbers.push(i);
    numbers.close();
  });
  long sum = 0;
  while (const auto n = numbers.pop()) sum += *n;
  return sum;
}

long count_leaves(int depth) {
  if (depth == 0) return 1;
  long left = 0;
  ult::task_group g;
  g.run([&] { left = count_leaves(depth - 1); });
  const long right = count_leaves(depth - 1);
  g.wait();
  return left + right;
}

}  // namespace

int main() {
  const unsigned workers = ult::workers(0);  // one for every processor that we may use

  auto product = ult::spawn([](int a, int b) { return a * b; }, 6, 7);
  auto failing = ult::spawn([] { throw std::runtime_error("on purpose"); });
  std::printf("%u workers; a result: %d\n", workers, product.join());
  try {
    failing.join();
  } catch (const std::exception& e) {
    std::printf("an exception: %s\n", e.what());
  }

  const long turns = pass_turns(1000);
  const long sum = through_a_channel(1000);
  const long leaves = count_leaves(14);
  std::vector<long> squares(1000);
  ult::parallel_for(0, squares.size(), [&](std::size_t i) { squares[i] = long(i * i); });
  const long squared = std::accumulate(squares.begin(), squares.end(), 0L);
  std::printf("turns %ld, sum %ld, leaves %ld, squares %ld\n", turns, sum, leaves, squared);

  ult::semaphore never(0);
  const bool came = never.try_acquire_for(std::chrono::milliseconds(10));
  std::printf("a wait with a limit: %s\n", came ? "came" : "timed out");
  ult::stop();
  return turns == 10'000 && sum == 500'500 && leaves == 16'384 && squared == 332'833'500 && !came
             ? 0
             : 1;
}
