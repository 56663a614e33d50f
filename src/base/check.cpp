// SPDX-License-Identifier: Apache-2.0
#include "ramjet/detail/base/check.hpp"

#include <cstdio>
#include <cstdlib>

#include "base/process_label.hpp"

namespace ramjet {

namespace base {

namespace {
int this_rank = -1;
}

void set_this_rank(int rank) noexcept { this_rank = rank; }

const char* process_label() noexcept {
  static thread_local char text[32];
  if (this_rank < 0) return "ramjet";
  std::snprintf(text, sizeof text, "ramjet: rank %d", this_rank);
  return text;
}

}  // namespace base

void detail::check_failed(const char* expression, const char* what, const char* file,
                          int line) noexcept {
  std::fprintf(stderr, "%s: %s [%s, %s:%d]\n", base::process_label(), what, expression, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace ramjet
