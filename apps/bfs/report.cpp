// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "../graph/speeds.hpp"
#include "tools/cli/json.hpp"

namespace bfs {
namespace {

using console::json;

json root_of(const searched& s) {
  json levels = json::array();
  std::uint64_t reached = 0;
  for (const std::uint64_t vertices : s.found.vertices) {
    levels.push_back(vertices);
    reached += vertices;
  }
  return {{"root", s.root}, {"reached", reached}, {"edges", s.found.edges}, {"levels", levels}};
}

std::string json_of(const options& o, const result& r, int ranks) {
  json roots = json::array();
  for (const searched& s : r.roots) roots.push_back(root_of(s));
  json object = {
      {"ranks", ranks},
      {"graph", graph::json_of(o.graph)},
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
  std::string text = heading(o.graph, r.graph, ranks) + "\n" +
                     text_of(graph::speeds_of(o.ways, r.roots, o.serial), "edges");
  const searched& last = r.roots.back();
  text += fmt::format(
      "\nFrom {} root{}: the median, the harmonic mean. All trees are right; the last one has {} "
      "edges below it\nand {} levels.\n",
      r.roots.size(), r.roots.size() == 1 ? "" : "s", last.found.edges, last.found.vertices.size());
  return text;
}

}  // namespace bfs
