// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <optional>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../graph/repeated.hpp"
#include "../graph/tree.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/measuring.hpp"
#include "serial.hpp"

namespace bfs {
namespace {

// Checks the tree of a search. Collective.
tree tree_of(const graph::spread_graph& g, std::span<const vertex> parents, vertex root) {
  const graph::checked_tree checked = check_tree(g, parents, root, graph::edge_weights());
  tree t{.edges = checked.edges, .vertices = {}};
  for (const std::uint32_t level : checked.distances) {
    if (level == graph::kNoDistance) continue;
    if (level >= t.vertices.size()) t.vertices.resize(level + 1);
    ++t.vertices[level];
  }
  return t;
}

class measuring {
 public:
  measuring(const options& o, const graph::spread_graph& g) : o_(o), graph_(g), searcher_(g) {
    if (!o.serial) return;
    whole_ = graph::whole_at_root(g);
    serial_.emplace(whole_);
  }

  searched from(vertex root) {
    searched s{.root = graph_.names[root], .found = {}, .seconds = {}};
    for (const way w : o_.ways) {
      s.seconds.push_back(measured::seconds_together([&] { searcher_.search(w, root); }));
      tree found = tree_of(graph_, searcher_.parents(), root);
      if (!s.found.vertices.empty() && s.found.vertices != found.vertices)
        throw measured::failure(fmt::format("the ways find different levels from {}", root));
      s.found = std::move(found);
    }
    if (o_.serial) s.serial_seconds = serial_from(root, s.found);
    return s;
  }

 private:
  double serial_from(vertex root, const tree& found) {
    const bool mine = ramjet::rank() == measured::kRoot;
    std::size_t reached = 0;
    const double seconds = measured::seconds_together([&] {
      if (mine) reached = serial_->search(root);
    });
    measured::agreed([&] {
      std::size_t due = 0;
      for (const std::uint64_t count : found.vertices) due += count;
      if (mine && reached != due)
        throw measured::failure(
            fmt::format("{} vertices are reached from {}, serially {}", due, root, reached));
    });
    return seconds;
  }

  const options& o_;
  const graph::spread_graph& graph_;
  searcher searcher_;
  graph::rows whole_;  // at the root
  std::optional<serial_searcher> serial_;
};

}  // namespace

result measure(const options& o) {
  const graph::made_graph g(o.graph);
  const std::vector<vertex> roots = roots_of(o.roots, *g, o.graph.made.seed);
  measuring all(o, *g);
  return {.graph = g.size(),
          .roots = graph::from_each(roots, [&](vertex root) { return all.from(root); })};
}

}  // namespace bfs
