// SPDX-License-Identifier: Apache-2.0
// What a program says of its speed that does the same in several ways, beside a serial one: all are
// taken in turns.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "measuring.hpp"
#include "tools/cli/json.hpp"

namespace measured {

struct way_speed {
  const char* name;
  double seconds;  // the median
  double per_s;  // of what the program counts
};

struct speeds {
  std::vector<way_speed> ways;
  std::optional<way_speed> serial;
};

// Adds --no-serial, with what it means, and --json, which each such program has last, and reads the
// line.
template <class Options>
void read_line(command_line& line, int argc, char** argv, Options& o,
               const std::string& without_serial) {
  bool no_serial = false;
  line.flag("--no-serial", no_serial, without_serial);
  line.flag("--json", o.json, "print one JSON object");
  line.read(argc, argv);
  o.serial = !no_serial;
}

// Medians of o.repeats turns of seconds_of(way), for each of o.ways, whose names name_of() tells,
// and of seconds_of_serial() where o.serial asks for it. Each does `count` things once, checks
// them, and tells how long it took. Collective.
template <class Options, class Seconds, class SerialSeconds>
speeds speeds_in_turn(const Options& o, std::uint64_t count, Seconds&& seconds_of,
                      SerialSeconds&& seconds_of_serial) {
  std::vector<std::function<double()>> all;
  for (const auto way : o.ways) all.push_back([&seconds_of, way] { return seconds_of(way); });
  if (o.serial) all.push_back([&seconds_of_serial] { return seconds_of_serial(); });
  const std::vector<double> medians = medians_in_turn(o.repeats, all);
  const auto speed = [count](const char* name, double seconds) {
    return way_speed{name, seconds, static_cast<double>(count) / seconds};
  };
  speeds s;
  for (std::size_t k = 0; k < o.ways.size(); ++k)
    s.ways.push_back(speed(name_of(o.ways[k]), medians[k]));
  if (o.serial) s.serial = speed("serial", medians.back());
  return s;
}

// A table, a line for each; `what` is done: "edges".
std::string text_of(const speeds& s, const char* what);
// Adds `ways` and `serial` to an object, the rate by the name `rate`.
void add_speeds(console::json& object, const speeds& s, const char* rate);

}  // namespace measured
