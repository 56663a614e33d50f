// SPDX-License-Identifier: Apache-2.0
// A benchmark whose messages arrive wrong has measured nothing: these checks are always on.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace bench {

[[noreturn]] inline void fail(const char* file, int line, const char* message) {
  std::fprintf(stderr, "ramjet bench: %s (%s:%d)\n", message, file, line);
  std::fflush(stderr);
  std::_Exit(1);
}

}  // namespace bench

#define BENCH_CHECK(condition, message)           \
  do {                                            \
    if (!(condition)) [[unlikely]]                \
      ::bench::fail(__FILE__, __LINE__, message); \
  } while (false)
