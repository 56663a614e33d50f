// SPDX-License-Identifier: Apache-2.0
// What a program on a spread_table says of its limit: the same work at plain addresses.
#pragma once

#include <cstdint>
#include <string>

#include <fmt/format.h>

namespace measured {

// Each rank did `count` of `what` in `seconds`, and the same by `how` ("loads from") plain
// addresses in `limit_seconds`: 0 on several machines, where those reach no other rank's memory.
inline std::string limit_text(std::uint64_t count, const char* what, double seconds,
                              double limit_seconds, const char* how) {
  if (limit_seconds == 0) return "  limit      none: the ranks are on several machines\n";
  return fmt::format(
      "  limit      {:7.2f} M {}/s by a rank, {} plain addresses\n"
      "  ratio      {:7.2f}\n",
      static_cast<double>(count) / limit_seconds * 1e-6, what, how, limit_seconds / seconds);
}

}  // namespace measured
