// SPDX-License-Identifier: Apache-2.0
// What the benchmarks of user-level threads have in common.
#pragma once

#include <sched.h>

#include "harness/check.hpp"
#include "harness/solo.hpp"
#include "ramjet/ult.hpp"

namespace bench {

namespace ult = ramjet::ult;

// The scheduler, while a body measures.
class running_workers {
 public:
  running_workers(solo& s, ult::options wanted) {
    wanted.bind = wanted.workers > 1;
    s.note("workers", wanted.workers);
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) == 0) s.note("cpus", unsigned(CPU_COUNT(&set)));
    ult::start(wanted);
    BENCH_CHECK(ult::workers() == wanted.workers, "RAMJET_ULT_WORKERS is set: unset it to measure");
  }
  ~running_workers() { ult::stop(); }
  running_workers(const running_workers&) = delete;
  running_workers& operator=(const running_workers&) = delete;
};

// The compiler moves no access to memory across this, and drops none before it.
[[gnu::always_inline]] inline void memory_is_seen() { asm volatile("" : : : "memory"); }

// ns that one of `count` calls of f takes.
template <class F>
[[gnu::always_inline]] inline double each_ns(unsigned count, F&& f) {
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i) f();
  return (now_ns() - begin_ns) / count;
}

}  // namespace bench
