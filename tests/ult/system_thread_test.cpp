// SPDX-License-Identifier: Apache-2.0
// What belongs to the system thread, errno and thread_local variables, in threads that change
// workers: this_thread::error_number and on_this_worker find those of the present worker in a
// function that has used those of a former one.
#include <fcntl.h>

#include <cerrno>
#include <vector>

#include "workers.hpp"

namespace {

class system_thread : public with_workers {};
RAMJET_WITH_WORKERS(system_thread);

thread_local unsigned worker_here = 0;

// A part of each loop's turns continues at another worker, with two workers or more.
template <class Check>
void move_about(Check&& check) {
  constexpr int kThreads = 50, kTurns = kSanitized ? 200 : 20'000;
  std::vector<ult::thread<>> all;
  for (int i = 0; i < kThreads; ++i)
    all.push_back(ult::spawn([&check] {
      for (int n = 0; n < kTurns; ++n) check();
    }));
}

TEST_P(system_thread, error_number_is_that_of_the_last_call) {
  std::atomic<int> wrong{0};
  move_about([&] {
    volatile int before = errno;  // the compiler may keep its address from here on
    static_cast<void>(before);
    ult::this_thread::yield();
    if (::open("/no/such/file", O_RDONLY) >= 0) ++wrong;
    if (ult::this_thread::error_number() != ENOENT) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

TEST_P(system_thread, on_this_worker_finds_its_variables) {
  std::atomic<int> wrong{0};
  move_about([&] {
    const unsigned before = ult::this_thread::worker();
    worker_here = before;
    ult::this_thread::yield();
    const unsigned now = ult::this_thread::worker();
    ult::this_thread::on_this_worker([now] { worker_here = now; });
    const unsigned found = ult::this_thread::on_this_worker([] { return worker_here; });
    if (found != now) ++wrong;
  });
  EXPECT_EQ(wrong, 0);
}

}  // namespace
