// SPDX-License-Identifier: Apache-2.0
// What programs that do the same to a graph several times begin with: the graph, and the loop over
// its roots.
#pragma once

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "../measured/measuring.hpp"
#include "input.hpp"
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
