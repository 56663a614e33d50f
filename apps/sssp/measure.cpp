// SPDX-License-Identifier: Apache-2.0
#include "measure.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../graph/repeated.hpp"
#include "../graph/tree.hpp"
#include "../measured/agreeing.hpp"
#include "../measured/measuring.hpp"
#include "serial.hpp"
#include "tree_check.hpp"

namespace sssp {
namespace {

// A distance as it is reported. Real ones are whole numbers where all lengths are.
template <class Distance>
console::json reported(Distance distance, bool is_whole) {
  constexpr double kExactBelow = 0x1p53;
  if (!kIsWhole<Distance> && is_whole && static_cast<double>(distance) < kExactBelow)
    return static_cast<std::uint64_t>(distance);
  return distance;
}

template <class Distance>
tree summary_of(std::span<const Distance> distances, std::uint64_t edges, bool is_whole) {
  std::uint64_t reached = 0;
  Distance farthest = 0;
  std::conditional_t<kIsWhole<Distance>, std::uint64_t, double> sum = 0;
  for (const Distance d : distances) {
    if (d == kFarthest<Distance>) continue;
    ++reached;
    farthest = std::max(farthest, d);
    sum += d;
  }
  return {edges, reached, reported(farthest, is_whole), reported(sum, is_whole)};
}

// Random lengths: functions of the seed and of the two ends of an edge.
class drawn_lengths {
 public:
  using length = distance;

  drawn_lengths(const options& o, const graph::spread_graph& g)
      : o_(o), graph_(g), weight_(o.weights, o.graph.made.seed) {
    // The longest way there can be must have a length.
    const std::uint64_t most = std::max<std::uint64_t>((kFar - 1) / g.vertices, 1);
    if (o.weights > most)
      throw measured::failure(fmt::format(
          "--weights {}: with {} vertices a way may be longer than 2^32: give at most {}",
          o.weights, g.vertices, most));
  }

  distance longest() const { return weight_.most(); }
  distance delta() const { return static_cast<distance>(o_.delta); }
  bool are_whole() const { return true; }
  weighted_rows<distance> rows() const { return {graph_.mine, graph_.first, weight_}; }
  // At the root; no rows elsewhere. Collective.
  weighted_rows<distance> whole_at_root() const {
    return {graph::whole_at_root(graph_), 0, weight_};
  }
  // Collective.
  std::vector<distance> checked(std::span<const vertex> parents, vertex root) const {
    return check_tree(graph_, parents, root, weight_).distances;
  }

 private:
  const options& o_;
  const graph::spread_graph& graph_;
  graph::edge_weights weight_;
};

// The lengths of the file.
class given_lengths {
 public:
  using length = double;

  given_lengths(const options& o, const graph::spread_graph& g)
      : o_(o), graph_(g), given_(*g.lengths), rows_(rows()) {
    if (!std::isfinite(given_.longest * static_cast<double>(g.vertices)))
      throw measured::failure(fmt::format(
          "{}: with {} vertices and edges of length {} a way may be too long for 64 bits",
          o.graph.file, g.vertices, given_.longest));
    if (o.names_delta && given_.longest / static_cast<double>(o.delta) > kBucketsMost)
      throw measured::failure(
          fmt::format("--delta {}: {} has edges of length {}: give at least {}", o.delta,
                      o.graph.file, given_.longest, std::ceil(given_.longest / kBucketsMost)));
  }

  double longest() const { return given_.longest; }
  // The mean length as a rule. A few long edges do not take more buckets.
  double delta() const {
    if (o_.names_delta) return static_cast<double>(o_.delta);
    const double width = std::max(given_.mean, given_.longest / kBucketsMost);
    return width > 0 ? width : 1;
  }
  bool are_whole() const { return given_.are_whole; }
  weighted_rows<double> rows() const {
    std::vector<weighted_edge<double>> edges;
    edges.reserve(given_.ends.size());
    for (const graph::edge_end& e : given_.ends) edges.push_back({e.to, e.length});
    return {graph_.mine.begins, std::move(edges)};
  }
  weighted_rows<double> whole_at_root() const {
    const bool root = ramjet::rank() == measured::kRoot;
    const graph::rows plain = graph::whole_at_root(graph_);
    const std::vector<std::size_t> counts = graph::counts_of_all(rows_.edges().size());
    std::vector<weighted_edge<double>> edges(root ? plain.targets.size() : 0);
    measured::require(ramjet::gather(rows_.edges(), std::span<weighted_edge<double>>(edges),
                                     std::span<const std::size_t>(counts), measured::kRoot));
    return {plain.begins, std::move(edges)};
  }
  std::vector<double> checked(std::span<const vertex> parents, vertex root) const {
    return checked_distances(graph_, rows_, parents, root);
  }

 private:
  static constexpr double kBucketsMost = 1 << 20;

  const options& o_;
  const graph::spread_graph& graph_;
  const graph::spread_lengths& given_;
  weighted_rows<double> rows_;
};

template <class Lengths>
class measuring {
 public:
  measuring(const options& o, const graph::spread_graph& g, const Lengths& lengths)
      : o_(o),
        graph_(g),
        lengths_(lengths),
        searcher_(g, lengths_.rows(), lengths_.longest(), lengths_.delta()) {
    if (!o.serial) return;
    serial_.emplace(lengths_.whole_at_root(), lengths_.longest(), lengths_.delta());
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
  using length = typename Lengths::length;

  // The tree by its own lengths, and the distances that were kept beside it.
  tree checked(way w, vertex root) {
    const std::vector<length> distances = lengths_.checked(searcher_.parents(), root);
    measured::agreed([&] {
      const std::span<const length> kept = searcher_.distances();
      if (!std::equal(kept.begin(), kept.end(), distances.begin() + graph_.first))
        throw measured::failure(
            fmt::format("{}: distances from {} are not those of its tree", name_of(w), root));
    });
    return summary_of(std::span<const length>(distances), edges_reached(), lengths_.are_whole());
  }

  // Edges of the graph between vertices that were reached.
  std::uint64_t edges_reached() const {
    std::uint64_t ends = 0;
    for (std::size_t k = 0; k < graph_.mine.count(); ++k)
      if (searcher_.parents()[k] != graph::kNoVertex) ends += graph_.mine[k].size();
    return measured::sum_over_ranks(ends) / 2;
  }

  double serial_from(vertex root, const tree& found) {
    const bool mine = ramjet::rank() == measured::kRoot;
    const double seconds = measured::seconds_together([&] {
      if (mine) serial_->search(root);
    });
    measured::agreed([&] {
      if (mine && summary_of(std::span<const length>(serial_->distances()), found.edges,
                             lengths_.are_whole()) != found)
        throw measured::failure(
            fmt::format("the distances from {} are not those of a serial search", root));
    });
    return seconds;
  }

  const options& o_;
  const graph::spread_graph& graph_;
  const Lengths& lengths_;
  searcher<length> searcher_;
  std::optional<serial_searcher<length>> serial_;  // its graph is empty but at the root
};

template <class Lengths>
result measure_with(const options& o, const graph::made_graph& g, bool draws) {
  const Lengths lengths(o, *g);
  const std::vector<vertex> roots = roots_of(o.roots, *g, o.graph.made.seed);
  measuring<Lengths> all(o, *g, lengths);
  return {.graph = g.size(),
          .draws = draws,
          .delta = reported(lengths.delta(), false),
          .longest = reported(lengths.longest(), lengths.are_whole()),
          .roots = graph::from_each(roots, [&](vertex root) { return all.from(root); })};
}

}  // namespace

result measure(const options& o) {
  const graph::made_graph g(o.graph);
  if (g->lengths) return measure_with<given_lengths>(o, g, false);
  if (!o.graph.file.empty() && !o.draws && ramjet::rank() == measured::kRoot)
    std::fprintf(stderr,
                 "note: %s gives edges no lengths: each gets a random one from 1 to %llu "
                 "(--weights)\n",
                 console::printable(o.graph.file).c_str(),
                 static_cast<unsigned long long>(o.weights));
  return measure_with<drawn_lengths>(o, g, true);
}

}  // namespace sssp
