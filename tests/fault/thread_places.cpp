// SPDX-License-Identifier: Apache-2.0
// Places of rank_that_dies.cpp in which user-level threads wait when a rank dies. After the death
// they are all gone, and the main program goes on under the scheduler.
#include <vector>

#include "ramjet/threads.hpp"
#include "ramjet/ult.hpp"
#include "rank_that_dies.hpp"

namespace {

namespace ult = ramjet::ult;
using ramjet::status;

long next_of(long x) { return x + 1; }
long never(long x) {  // runs in a thread: the rank can be killed, the thread not be waited for
  ult::semaphore nothing(0);
  nothing.acquire();
  return x;
}
void on_word(ramjet::request_token) {}

// What every one of the threads saw; the first bad end, or a good one that should not be.
status joined(std::vector<ult::thread<status>>& threads) {
  status worst = status::ok;
  for (const auto& t : threads)
    if (const status s = t.join(); s != status::ok) worst = s;
  return worst;
}

status in_calls_of_threads() {
  std::vector<ult::thread<status>> callers;
  for (int i = 0; i < 16; ++i)
    callers.push_back(ult::spawn([i] {
      for (long k = 0;; ++k) {
        const int to = k % 2 == 0 ? victim() : int(k + i) % ramjet::size();
        if (const status s = ramjet::call<next_of>(to, k).wait(); s != status::ok) return s;
      }
    }));
  return joined(callers);
}

// A call whose thread at the dead rank never ends; nothing else comes.
status in_a_call_to_a_blocked_thread() {
  std::vector<ult::thread<status>> callers;
  for (long i = 0; i < 4; ++i)
    callers.push_back(ult::spawn([i] { return ramjet::spawn_call<never>(victim(), i).wait(); }));
  return joined(callers);
}

// One thread in barriers, others in requests that fill the way, and in waits of their own.
status in_waits_of_threads() {
  std::vector<ult::thread<status>> waiters;
  waiters.push_back(ult::spawn([] {
    for (;;)
      if (const status s = ramjet::barrier(); s != status::ok) return s;
  }));
  for (int i = 0; i < 3; ++i)
    waiters.push_back(ult::spawn([] {
      for (;;)
        if (const status s = ramjet::request<on_word>(victim()); s != status::ok) return s;
    }));
  return joined(waiters);
}

constexpr place kPlaces[] = {{"thread_calls", in_calls_of_threads},
                             {"thread_blocked", in_a_call_to_a_blocked_thread},
                             {"thread_waits", in_waits_of_threads}};

}  // namespace

std::span<const place> thread_places() { return kPlaces; }
