// SPDX-License-Identifier: Apache-2.0
// What a program says of its speed that does the same in several ways, beside a serial one: all are
// taken in turns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "console/json.hpp"
#include "measuring.hpp"

namespace measured {

// What is done, by name; seconds() does it once, checks it, and tells how long it took.
struct repeated_way {
  const char* name;
  std::function<double()> seconds;
};

struct way_speed {
  const char* name;
  double seconds;  // the median
  double per_s;  // of what the program counts
};

struct speeds {
  std::vector<way_speed> ways;
  std::optional<way_speed> serial;
};

// Medians of so many turns; `count` things are done by each. The serial way may be missing.
// Collective.
inline speeds speeds_in_turn(std::uint64_t repeats, std::uint64_t count,
                             const std::vector<repeated_way>& ways,
                             const std::optional<repeated_way>& serial) {
  std::vector<std::function<double()>> all;
  for (const repeated_way& w : ways) all.push_back(w.seconds);
  if (serial) all.push_back(serial->seconds);
  const std::vector<double> medians = medians_in_turn(repeats, all);
  const auto speed = [count](const repeated_way& w, double seconds) {
    return way_speed{w.name, seconds, static_cast<double>(count) / seconds};
  };
  speeds s;
  for (std::size_t k = 0; k < ways.size(); ++k) s.ways.push_back(speed(ways[k], medians[k]));
  if (serial) s.serial = speed(*serial, medians.back());
  return s;
}

// A table, a line for each; `what` is done: "edges".
std::string text_of(const speeds& s, const char* what);
// Adds `ways` and `serial` to an object, the rate by the name `rate`.
void add_speeds(console::json& object, const speeds& s, const char* rate);

}  // namespace measured
