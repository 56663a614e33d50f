// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "../measured/measuring.hpp"
#include "console/json.hpp"

namespace bfs {
namespace {

using console::json;

// One way over all roots.
struct speed {
  double seconds;  // the median
  double teps;  // edges a second, the harmonic mean
};

template <class Seconds>
speed speed_of(const result& r, Seconds&& seconds_of) {
  std::vector<double> seconds;
  double seconds_by_edges = 0;
  for (const searched& s : r.roots) {
    const double of_root = seconds_of(s);
    seconds.push_back(of_root);
    if (s.found.edges > 0) seconds_by_edges += of_root / static_cast<double>(s.found.edges);
  }
  const double teps =
      seconds_by_edges > 0 ? static_cast<double>(seconds.size()) / seconds_by_edges : 0;
  return {measured::median(seconds), teps};
}

speed speed_of_way(const result& r, std::size_t way) {
  return speed_of(r, [way](const searched& s) { return s.seconds[way]; });
}

speed speed_of_serial(const result& r) {
  return speed_of(r, [](const searched& s) { return s.serial_seconds; });
}

json graph_of(const options& o) {
  if (!o.file.empty()) return {{"file", o.file}};
  return {{"scale", o.made.scale}, {"edge_factor", o.made.edge_factor}, {"seed", o.made.seed}};
}

json root_of(const searched& s) {
  json levels = json::array();
  std::uint64_t reached = 0;
  for (const std::uint64_t vertices : s.found.vertices) {
    levels.push_back(vertices);
    reached += vertices;
  }
  return {{"root", s.root}, {"reached", reached}, {"edges", s.found.edges}, {"levels", levels}};
}

json way_of(const char* name, const speed& s) {
  return {{"way", name}, {"seconds", s.seconds}, {"teps", s.teps}};
}

std::string json_of(const options& o, const result& r, int ranks) {
  json ways = json::array(), roots = json::array();
  for (std::size_t k = 0; k < o.ways.size(); ++k) {
    const speed s = speed_of_way(r, k);
    json way = way_of(name_of(o.ways[k]), s);
    way["ratio_to_serial"] = o.serial ? json(s.seconds / speed_of_serial(r).seconds) : json();
    ways.push_back(way);
  }
  for (const searched& s : r.roots) roots.push_back(root_of(s));
  const json object = {
      {"ranks", ranks},
      {"graph", graph_of(o)},
      {"vertices", r.vertices},
      {"edges", r.edges},
      {"build_seconds", r.build_seconds},
      {"ways", ways},
      {"serial", o.serial ? way_of("serial", speed_of_serial(r)) : json()},
      {"roots", roots},
  };
  return object.dump() + "\n";
}

std::string line_of(const char* name, const speed& s) {
  return fmt::format("  {:<10}  {:>10.2f}  {:>10.2f}", name, s.seconds * 1e3, s.teps * 1e-6);
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  std::string text =
      (o.file.empty() ? fmt::format("A Kronecker graph of scale {}, edge factor {}, seed {}",
                                    o.made.scale, o.made.edge_factor, o.made.seed)
                      : o.file) +
      fmt::format(": {} vertices, {} edges over {} rank{}, in {:.2f} s\n\n", r.vertices, r.edges,
                  ranks, ranks == 1 ? "" : "s", r.build_seconds);
  text += "                      ms  M edges/s   of serial\n";
  const double serial = o.serial ? speed_of_serial(r).seconds : 0;
  for (std::size_t k = 0; k < o.ways.size(); ++k) {
    const speed s = speed_of_way(r, k);
    text += line_of(name_of(o.ways[k]), s);
    text += o.serial ? fmt::format("  {:>10.2f}\n", s.seconds / serial) : "\n";
  }
  if (o.serial) text += line_of("serial", speed_of_serial(r)) + "\n";
  const searched& last = r.roots.back();
  text += fmt::format(
      "\nFrom {} root{}: the median, the harmonic mean. All trees are right; the last one has {} "
      "edges below it\nand {} levels.\n",
      r.roots.size(), r.roots.size() == 1 ? "" : "s", last.found.edges, last.found.vertices.size());
  return text;
}

}  // namespace bfs
