// SPDX-License-Identifier: Apache-2.0
#include "ways.hpp"

#include <fmt/format.h>

namespace measured {
namespace {

using console::json;

json json_of(const way_speed& w, const char* rate) {
  return {{"way", w.name}, {"seconds", w.seconds}, {rate, w.per_s}};
}

std::string line_of(const way_speed& w) {
  return fmt::format("  {:<10}  {:>10.2f}  {:>10.2f}", w.name, w.seconds * 1e3, w.per_s * 1e-6);
}

}  // namespace

std::string text_of(const speeds& s, const char* what) {
  std::string text =
      fmt::format("                      ms  {:>10}   of serial\n", fmt::format("M {}/s", what));
  for (const way_speed& w : s.ways) {
    text += line_of(w);
    text += s.serial ? fmt::format("  {:>10.2f}\n", w.seconds / s.serial->seconds) : "\n";
  }
  if (s.serial) text += line_of(*s.serial) + "\n";
  return text;
}

void add_speeds(json& object, const speeds& s, const char* rate) {
  json ways = json::array();
  for (const way_speed& w : s.ways) {
    json way = json_of(w, rate);
    way["ratio_to_serial"] = s.serial ? json(w.seconds / s.serial->seconds) : json();
    ways.push_back(way);
  }
  object["ways"] = ways;
  object["serial"] = s.serial ? json_of(*s.serial, rate) : json();
}

}  // namespace measured
