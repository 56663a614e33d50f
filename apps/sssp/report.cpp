// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "../graph/speeds.hpp"
#include "tools/cli/json.hpp"

namespace sssp {
namespace {

using console::json;

json root_of(const searched& s) {
  return {{"root", s.root},
          {"reached", s.found.reached},
          {"edges", s.found.edges},
          {"farthest", s.found.farthest},
          {"sum", s.found.sum}};
}

std::string json_of(const options& o, const result& r, int ranks) {
  json roots = json::array();
  for (const searched& s : r.roots) roots.push_back(root_of(s));
  json object = {
      {"ranks", ranks},
      {"graph", graph::json_of(o.graph)},
      {"lengths", r.draws ? "random" : "file"},
      {"weights", r.draws ? json(o.weights) : json(nullptr)},
      {"delta", r.delta},
      {"vertices", r.graph.vertices},
      {"edges", r.graph.edges},
      {"build_seconds", r.graph.build_seconds},
  };
  add_speeds(object, graph::speeds_of(o.ways, r.roots, o.serial), "teps");
  object["roots"] = roots;
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  const searched& last = r.roots.back();
  return heading(o.graph, r.graph, ranks) +
         fmt::format("{} to {}, buckets of {}\n\n",
                     r.draws ? "Random lengths from 1" : "Lengths of the file, up",
                     r.longest.dump(), r.delta.dump()) +
         text_of(graph::speeds_of(o.ways, r.roots, o.serial), "edges") +
         fmt::format(
             "\nFrom {} root{}: the median, the harmonic mean. All trees are right; the last one "
             "reaches {} vertices,\nthe farthest at {}.\n",
             r.roots.size(), r.roots.size() == 1 ? "" : "s", last.found.reached,
             last.found.farthest.dump());
}

}  // namespace sssp
