// SPDX-License-Identifier: Apache-2.0
// What a program on a spread_table says of its speed: its own beside that of the same work at plain
// addresses, which is its limit.
#pragma once

#include <cstdint>
#include <string>

#include "tools/cli/json.hpp"

namespace measured {

struct table_speed {
  const char* what;  // is done: "updates"
  std::string call;  // by which it is done
  std::uint64_t count;  // of them, by each rank
  double seconds;
  double limit_seconds;  // 0 on several machines, where plain addresses reach no other rank
  const char* limit_how;  // "locked additions at"
};

// Three lines.
std::string speed_text(const table_speed& s);
// Adds WHAT_per_s, limit_WHAT_per_s and ratio_to_limit to an object.
void add_speed(console::json& object, const table_speed& s);

}  // namespace measured
