// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../graph/edge_file.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/measuring.hpp"
#include "../measured/random_words.hpp"
#include "serial.hpp"

namespace bfs {
namespace {

graph::edge_share share_of(const options& o) {
  graph::edge_share share;
  measured::agreed([&] {
    share = o.file.empty() ? graph::share_of(o.made, ramjet::rank(), ramjet::size())
                           : graph::share_of(o.file, ramjet::rank(), ramjet::size());
  });
  return share;
}

// Whether an edge leads from v, of this rank, to another vertex.
bool leads_on(const graph::spread_graph& g, vertex v) {
  const std::span<const vertex> row = g.mine[v - g.first];
  return std::any_of(row.begin(), row.end(), [v](vertex w) { return w != v; });
}

// Vertices at random from which edges lead on. Collective.
std::vector<vertex> random_roots(const options& o, const graph::spread_graph& g) {
  std::vector<vertex> tried(1024 + 64 * o.roots);
  measured::random_words words({o.made.seed, 0xb5});
  for (vertex& v : tried) v = static_cast<vertex>(words.next_below(g.vertices));
  std::vector<int> good(tried.size());
  for (std::size_t k = 0; k < tried.size(); ++k)
    good[k] = g.owners.owner_of(tried[k]) == ramjet::rank() && leads_on(g, tried[k]);
  measured::require(ramjet::all_reduce(std::span<int>(good), std::plus<>()));
  std::vector<vertex> roots;
  for (std::size_t k = 0; k < tried.size() && roots.size() < o.roots; ++k)
    if (good[k] != 0) roots.push_back(tried[k]);
  if (roots.size() < o.roots)
    throw measured::failure("hardly a vertex has an edge: name one by --root");
  return roots;
}

std::vector<vertex> roots_of(const options& o, const graph::spread_graph& g) {
  if (o.named_roots.empty()) return random_roots(o, g);
  std::vector<vertex> roots;
  for (const std::uint64_t root : o.named_roots) {
    if (root >= g.vertices)
      throw measured::failure(
          fmt::format("--root {}: the graph has the vertices 0 to {}", root, g.vertices - 1));
    roots.push_back(static_cast<vertex>(root));
  }
  return roots;
}

class measuring {
 public:
  measuring(const options& o, const graph::spread_graph& g) : o_(o), graph_(g), searcher_(g) {
    if (!o.serial) return;
    whole_ = graph::whole_at_root(g);
    serial_.emplace(whole_);
  }

  searched from(vertex root) {
    searched s{.root = root, .found = {}, .seconds = {}};
    for (const way w : o_.ways) {
      s.seconds.push_back(measured::seconds_together([&] { searcher_.search(w, root); }));
      tree found = checked_tree(graph_, searcher_.parents(), root);
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
  std::optional<graph::spread_graph> g;
  const double build_seconds =
      measured::seconds_together([&] { g.emplace(graph::distribute(share_of(o))); });
  result r{.vertices = g->vertices, .edges = g->edges, .build_seconds = build_seconds, .roots = {}};
  const std::vector<vertex> roots = roots_of(o, *g);
  measuring all(o, *g);
  all.from(roots.front());  // faults pages in and warms the caches
  measured::progress shown;
  for (const vertex root : roots) {
    shown.show([&] { return fmt::format("root {} of {}", r.roots.size() + 1, roots.size()); });
    r.roots.push_back(all.from(root));
  }
  return r;
}

}  // namespace bfs
