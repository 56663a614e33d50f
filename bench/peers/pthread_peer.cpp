// SPDX-License-Identifier: Apache-2.0
// The rows about threads for the system's own, through the standard library. Arguments: --tiny
// (only shows that everything holds).
#include <gnu/libc-version.h>
#include <semaphore.h>

#include <condition_variable>

#include "thread_suite.hpp"

namespace {

using namespace peers;

struct system_threads {
  using thread = std::thread;
  using mutex = std::mutex;
  using condition = std::condition_variable;
  static constexpr bool kFair = false;

  static void yield() { sched_yield(); }
  template <class F>
  static thread spawn(F&& f) {
    return thread(std::forward<F>(f));
  }
};

double semaphore_ns(int count) {
  sem_t units;
  PEERS_CHECK(sem_init(&units, 0, 0) == 0);
  const double pair_ns = each_ns(count, [&units] {
    sem_post(&units);
    memory_is_seen();
    sem_wait(&units);
  });
  PEERS_CHECK(sem_trywait(&units) != 0);
  sem_destroy(&units);
  return pair_ns;
}

}  // namespace

int main(int argc, char** argv) {
  const plan run = plan::from_arguments(argc, argv);
  pin_to(allowed_cpus().front());
  thread_records out(run);
  thread_rows<system_threads>(out, run, 100, 100, 10, 1000);
  const auto semaphore = [&] { return semaphore_ns(run.count(100000)); };
  out.measure("ult_semaphore", semaphore);
  beside_another_thread([&] { out.measure("ult_semaphore_2w", semaphore); });
  out.print("pthreads", std::string("glibc ") + gnu_get_libc_version(),
            "all on one CPU, yields by sched_yield");
  return 0;
}
