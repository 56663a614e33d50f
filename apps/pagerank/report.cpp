// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <fmt/format.h>

#include "tools/cli/json.hpp"

namespace pagerank {
namespace {

// What the scores were compared with.
const char* verdict(const options& o) {
  if (o.serial) return "All scores are right.";
  return o.ways.size() > 1 ? "All ways find these scores; no serial program has checked them."
                           : "All scores come to 1; nothing else was checked.";
}

std::string json_of(const options& o, const result& r, int ranks) {
  console::json object = {
      {"ranks", ranks},
      {"graph", graph::json_of(o.graph)},
      {"iterations", o.iterations},
      {"vertices", r.graph.vertices},
      {"edges", r.graph.edges},
      {"build_seconds", r.graph.build_seconds},
      {"repeats", o.repeats},
  };
  add_speeds(object, r.speeds, "edges_per_s");
  object["sum"] = r.found.sum;
  object["squares"] = r.found.squares;
  object["first"] = {{"vertex", r.found.first}, {"score", r.found.first_score}};
  return object.dump() + "\n";
}

}  // namespace

std::string report(const options& o, const result& r, int ranks) {
  if (o.json) return json_of(o, r, ranks);
  return heading(o.graph, r.graph, ranks) +
         fmt::format("{} iteration{}\n\n", o.iterations, o.iterations == 1 ? "" : "s") +
         text_of(r.speeds, "edges") +
         fmt::format("\nVertex {} is the first, with {:.3e} of 1. {}\n", r.found.first,
                     r.found.first_score, verdict(o));
}

}  // namespace pagerank
