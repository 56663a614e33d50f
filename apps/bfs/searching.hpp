// SPDX-License-Identifier: Apache-2.0
// Breadth-first search by all ranks: each visits the vertices that it owns, in five ways of
// telling their owners of the others.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "../graph/spread_graph.hpp"
#include "../graph/vertex_set.hpp"
#include "../measured/batches.hpp"

namespace bfs {

using graph::vertex;

enum class way { natural, aggregated, filtered, batched, chained };
inline constexpr std::array kWays{way::natural, way::aggregated, way::filtered, way::batched,
                                  way::chained};
const char* name_of(way w);

// What a message says: a vertex, and the neighbour that it was found from.
struct visit {
  vertex at, parent;
};

// One a rank: its handlers find it.
class searcher {
 public:
  // Collective. The graph is to outlive it.
  explicit searcher(const graph::spread_graph& g);
  ~searcher();
  searcher(const searcher&) = delete;
  searcher& operator=(const searcher&) = delete;

  // Fills parents(). Collective.
  void search(way w, vertex root);
  // Of this rank's vertices, one for each row of the graph; the root is its own. kNoVertex: the
  // root does not reach it.
  std::span<const vertex> parents() const { return parents_; }

 private:
  static constexpr std::uint32_t kUnreached = UINT32_MAX;

  // The handlers' way in.
  friend struct handlers;

  // A comparison; who the owner of another one is, takes a multiplication.
  bool is_mine(vertex v) const { return v - graph_.first < parents_.size(); }

  void reach(visit v) {
    if (parents_[v.at - graph_.first] == graph::kNoVertex) take(v);
  }
  // Where it has not been reached.
  void take(visit v) {
    parents_[v.at - graph_.first] = v.parent;
    known_.add(v.at);
    reached_[reached_count_++] = v.at;
  }
  // A visit that came: if it is the shortest way so far, it goes on from there.
  void go_on_from(visit v, std::uint32_t level);
  void improve(visit v, std::uint32_t level) {
    const auto row = v.at - graph_.first;
    if (level >= levels_[row]) return;
    levels_[row] = level;
    parents_[row] = v.parent;
    pending_.push_back({v.at, level});
  }

  // The same for several. Whether the next ones have been reached is fetched meanwhile.
  void reach_all(std::span<const visit> visits);

  // follow(parent) does a vertex's edges.
  template <class Follow, class Flush>
  void by_levels(vertex root, Follow&& follow, Flush&& flush);
  template <class Send>
  auto telling_all(Send send);
  void natural(vertex root);
  void aggregated(vertex root);
  void filtered(vertex root);
  void batched(vertex root);
  void chained(vertex root);

  const graph::spread_graph& graph_;
  // This rank's vertices that were reached, and of filtered the others that their owners were told
  // of.
  graph::vertex_set known_;
  std::vector<vertex> parents_;
  // This rank's vertices in the order in which they were reached.
  std::vector<vertex> reached_;
  std::size_t reached_count_ = 0;
  // Of chained: the shortest way to each row so far, and what has to be told to neighbours.
  struct improved {
    vertex at;
    std::uint32_t level;
  };
  std::vector<std::uint32_t> levels_;
  std::vector<improved> pending_;  // empty outside of handlers
  measured::batches<visit> batches_;
};

}  // namespace bfs
