// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "tools/cli/json.hpp"

namespace components {
namespace {

// What the labels were compared with. Without a serial program two components may have one label.
const char* verdict(const options& o) {
  if (o.serial) return "All labels are right.";
  return "No edge leads from one to another; that each is connected was not checked.";
}

std::string json_of(const options& o, const result& r, int ranks) {
  console::json object = {
      {"ranks", ranks},
      {"graph", graph::json_of(o.graph)},
      {"vertices", r.graph.vertices},
      {"edges", r.graph.edges},
      {"build_seconds", r.graph.build_seconds},
      {"repeats", o.repeats},
  };
  add_speeds(object, r.speeds, "edges_per_s");
  object["components"] = r.found.components;
  object["largest"] = r.found.largest;
  object["checksum"] = fmt::format("{:016x}", r.found.checksum);
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  return heading(o.graph, r.graph, ranks) + "\n" + text_of(r.speeds, "edges") +
         fmt::format("\n{} component{}, the largest of {} vertices. {}\n", r.found.components,
                     r.found.components == 1 ? "" : "s", r.found.largest, verdict(o));
}

}  // namespace components
