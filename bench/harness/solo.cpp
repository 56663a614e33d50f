// SPDX-License-Identifier: Apache-2.0
#include "harness/solo.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "harness/check.hpp"

namespace bench {

void solo::measure(const block& ours, const block& limit) {
  samples taken, limits;
  ours();  // the first ones fault pages in and warm caches
  limit();
  const double start_ns = now_ns();
  const auto late = [&] {
    return how_much_.seconds > 0 && taken.count() >= 3 &&
           now_ns() - start_ns > how_much_.seconds * 1e9;
  };
  while (taken.count() < how_much_.repeats && !late()) {
    taken.add(ours());
    limits.add(limit());
  }
  json params = {{"ranks", 1},
                 {"repeats", taken.count()},
                 {"spread", taken.spread()},
                 {"limit_spread", limits.spread()}};
  params.update(params_);
  const json out = {{"value", taken.median()}, {"limit", limits.median()}, {"params", params}};
  std::printf("%s\n", out.dump().c_str());
  std::fflush(stdout);
}

double in_fork(const std::function<double()>& f) {
  int ends[2];
  BENCH_CHECK(::pipe(ends) == 0, "no pipe to a forked process");
  const pid_t child = ::fork();
  BENCH_CHECK(child >= 0, "no forked process");
  double value = 0;
  if (child == 0) {
    value = f();
    const bool told = ::write(ends[1], &value, sizeof value) == ssize_t(sizeof value);
    ::_exit(told ? 0 : 1);
  }
  ::close(ends[1]);
  const bool heard = ::read(ends[0], &value, sizeof value) == ssize_t(sizeof value);
  ::close(ends[0]);
  int status = 0;
  const bool reaped = ::waitpid(child, &status, 0) == child;
  BENCH_CHECK(heard && reaped && status == 0, "a forked process gave no value");
  return value;
}

}  // namespace bench
