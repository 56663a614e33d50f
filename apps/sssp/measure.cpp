// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../graph/repeated.hpp"
#include "../graph/tree.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/measuring.hpp"
#include "serial.hpp"

namespace sssp {
namespace {

tree summary_of(const std::vector<distance>& distances, std::uint64_t edges) {
  tree t{.edges = edges};
  for (const distance d : distances) {
    if (d == kFar) continue;
    ++t.reached;
    t.farthest = std::max(t.farthest, d);
    t.sum += d;
  }
  return t;
}

// The longest way there can be must have a length.
void check_lengths(const options& o, const graph::spread_graph& g) {
  const std::uint64_t most = std::max<std::uint64_t>((kFar - 1) / g.vertices, 1);
  if (o.weights > most)
    throw measured::failure(
        fmt::format("--weights {}: with {} vertices a way may be longer than 2^32: give at most {}",
                    o.weights, g.vertices, most));
}

class measuring {
 public:
  measuring(const options& o, const graph::spread_graph& g)
      : o_(o),
        graph_(g),
        weight_(o.weights, o.graph.made.seed),
        searcher_(g, weight_, static_cast<distance>(o.delta)) {
    if (!o.serial) return;
    serial_.emplace(graph::whole_at_root(g), weight_, static_cast<distance>(o.delta));
  }

  searched from(vertex root) {
    searched s{.root = graph_.names[root], .found = {}, .seconds = {}};
    for (const way w : o_.ways) {
      s.seconds.push_back(measured::seconds_together([&] { searcher_.search(w, root); }));
      const tree found = checked(w, root);
      if (s.found.reached > 0 && s.found != found)
        throw measured::failure(fmt::format("the ways find different distances from {}", root));
      s.found = found;
    }
    if (o_.serial) s.serial_seconds = serial_from(root, s.found);
    return s;
  }

 private:
  // The tree by its own lengths, and the distances that were kept beside it.
  tree checked(way w, vertex root) {
    const graph::checked_tree t = check_tree(graph_, searcher_.parents(), root, weight_);
    measured::agreed([&] {
      const std::span<const distance> kept = searcher_.distances();
      if (!std::equal(kept.begin(), kept.end(), t.distances.begin() + graph_.first))
        throw measured::failure(
            fmt::format("{}: distances from {} are not those of its tree", name_of(w), root));
    });
    return summary_of(t.distances, t.edges);
  }

  double serial_from(vertex root, const tree& found) {
    const bool mine = ramjet::rank() == measured::kRoot;
    const double seconds = measured::seconds_together([&] {
      if (mine) serial_->search(root);
    });
    measured::agreed([&] {
      if (mine && summary_of(serial_->distances(), found.edges) != found)
        throw measured::failure(
            fmt::format("the distances from {} are not those of a serial search", root));
    });
    return seconds;
  }

  const options& o_;
  const graph::spread_graph& graph_;
  graph::edge_weights weight_;
  searcher searcher_;
  std::optional<serial_searcher> serial_;  // its graph is empty but at the root
};

}  // namespace

result measure(const options& o) {
  const graph::made_graph g(o.graph);
  check_lengths(o, *g);
  if (g->has_lengths && ramjet::rank() == measured::kRoot)
    std::fprintf(stderr,
                 "note: %s gives edges lengths, which sssp does not use: each edge gets a "
                 "random one from 1 to %llu (--weights)\n",
                 console::printable(o.graph.file).c_str(),
                 static_cast<unsigned long long>(o.weights));
  const std::vector<vertex> roots = roots_of(o.roots, *g, o.graph.made.seed);
  measuring all(o, *g);
  return {.graph = g.size(),
          .roots = graph::from_each(roots, [&](vertex root) { return all.from(root); })};
}

}  // namespace sssp
