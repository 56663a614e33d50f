// SPDX-License-Identifier: Apache-2.0
// What programs that do the same to a graph several times begin with: the graph, and the loop over
// its roots.
#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/measuring.hpp"
#include "input.hpp"
#include "numbering.hpp"
#include "spread_graph.hpp"

namespace graph {

enum class numbering { given, by_degree };

class made_graph {
 public:
  // Collective.
  explicit made_graph(const input& in, numbering how = numbering::given) {
    const double seconds = measured::seconds_together([&] { make(share_of(in), how); });
    size_ = {graph_->vertices, graph_->edges, seconds};
  }

  const spread_graph& operator*() const { return *graph_; }
  const spread_graph* operator->() const { return &*graph_; }
  const struct size& size() const { return size_; }
  // The number here of each vertex, if they are numbered by degree.
  std::span<const vertex> numbers() const { return numbers_; }

 private:
  void make(edge_share share, numbering how) {
    if (how == numbering::by_degree) {
      numbers_ = numbers_by_degree(degrees_of_all(share), ramjet::size());
      renumber(share.mine, numbers_);
    }
    graph_.emplace(distribute(share));
  }

  std::vector<vertex> numbers_;
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
