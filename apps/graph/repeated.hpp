// SPDX-License-Identifier: Apache-2.0
// The frame of a program that does the same to a whole graph in several ways: makes the graph,
// takes the ways in turns, and beside them a serial program at the root.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "../measured/measuring.hpp"
#include "input.hpp"
#include "speeds.hpp"
#include "spread_graph.hpp"

namespace graph {

class made_graph {
 public:
  // Collective.
  explicit made_graph(const input& in) {
    const double seconds =
        measured::seconds_together([&] { graph_.emplace(distribute(share_of(in))); });
    size_ = {graph_->vertices, graph_->edges, seconds};
  }

  const spread_graph& operator*() const { return *graph_; }
  const spread_graph* operator->() const { return &*graph_; }
  const struct size& size() const { return size_; }

 private:
  std::optional<spread_graph> graph_;
  struct size size_;
};

// What is done, by name; seconds() does it once, checks it, and tells how long it took.
struct repeated_way {
  const char* name;
  std::function<double()> seconds;
};

// Medians of so many turns; `edges` are seen by each. The serial way may be missing. Collective.
inline speeds speeds_in_turn(std::uint64_t repeats, std::uint64_t edges,
                             const std::vector<repeated_way>& ways,
                             const std::optional<repeated_way>& serial) {
  std::vector<std::function<double()>> all;
  for (const repeated_way& w : ways) all.push_back(w.seconds);
  if (serial) all.push_back(serial->seconds);
  const std::vector<double> medians = measured::medians_in_turn(repeats, all);
  const auto speed = [edges](const repeated_way& w, double seconds) {
    return way_speed{w.name, seconds, static_cast<double>(edges) / seconds};
  };
  speeds s;
  for (std::size_t k = 0; k < ways.size(); ++k) s.ways.push_back(speed(ways[k], medians[k]));
  if (serial) s.serial = speed(*serial, medians.back());
  return s;
}

// What from(root) returns for each root, after one for the first of them that faults pages in and
// warms the caches. Collective.
template <class From>
auto from_each(const std::vector<vertex>& roots, From&& from) {
  std::vector<decltype(from(roots.front()))> all;
  from(roots.front());
  measured::progress shown;
  for (const vertex root : roots) {
    shown.show([&] { return fmt::format("root {} of {}", all.size() + 1, roots.size()); });
    all.push_back(from(root));
  }
  return all;
}

}  // namespace graph
