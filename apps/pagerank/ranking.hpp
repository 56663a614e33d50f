// SPDX-License-Identifier: Apache-2.0
// PageRank by all ranks (Page and Brin 1998): a vertex gives its score to its neighbours in equal
// parts, again and again. What vertices without an edge have goes to all, so that all scores
// together stay 1. Five ways for parts to get to other ranks:
//
//   natural    a message for each edge, which the owner of its end adds; gathered by the library
//   batched    the same messages by hand
//   read       each rank reads the parts of its vertices' neighbours by global pointers
//   gathered   the parts of all vertices come to all ranks
//   shared     the parts of all vertices come to each node, whose ranks share them
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <ramjet/ramjet.hpp>

#include "../graph/spread_graph.hpp"
#include "../measured/batches.hpp"

namespace pagerank {

using graph::vertex;

enum class way { natural, batched, read, gathered, shared };
inline constexpr std::array kWays{way::natural, way::batched, way::read, way::gathered,
                                  way::shared};
const char* name_of(way w);

// What a message says: a part for a vertex.
struct giving {
  vertex to;
  double part;
};

// One a rank: its handlers find it.
class ranker {
 public:
  // For these ways. Collective. The graph is to outlive it. Parts that are read or shared stand in
  // the ranks' segments until the job ends; throws measured::failure if there is no room.
  ranker(const graph::spread_graph& g, std::span<const way> ways);
  ~ranker();
  ranker(const ranker&) = delete;
  ranker& operator=(const ranker&) = delete;

  // Fills scores(). Collective.
  void rank(way w, std::uint64_t iterations);
  // Of this rank's vertices, one for each row of the graph.
  std::span<const double> scores() const { return scores_; }

 private:
  // The handlers' way in.
  friend struct handlers;

  bool is_mine(vertex v) const { return v - graph_.first < scores_.size(); }
  void add(giving g) { sums_[g.to - graph_.first] += g.part; }

  // All iterations but of shared have this frame.
  void rank_by_sums(way w, std::uint64_t iterations);
  // One iteration; every rank's parts_ are made. Each leaves the sums of what came in sums_.
  template <class Send, class Flush>
  void give(Send&& send, Flush&& flush);
  void read();
  void gather();

  // Makes parts_ from the scores. Returns what all vertices without an edge have.
  double divide();
  void place_neighbours();
  void place_shared();

  void rank_shared(std::uint64_t iterations);
  // To the other nodes, from this node's copy k of the parts.
  void report_nodes(std::size_t k);

  const graph::spread_graph& graph_;
  std::vector<double> scores_, parts_, sums_;  // by row
  measured::batches<giving> batches_;
  // Of read: parts of rank r's row k are at place k * P + r, and the neighbours' places, as their
  // numbers are in the rows.
  ramjet::spread_ptr<double> spread_parts_;
  std::vector<std::uint32_t> places_;
  std::vector<double> block_;
  // Of gathered: of all vertices.
  std::vector<double> all_parts_;
  std::vector<std::size_t> counts_;
  // Of shared: two copies of the parts of all vertices in the segment of the lowest rank of each
  // node. One is read, by that node's ranks; the other is written, by all ranks, each its own.
  std::array<double*, 2> copies_{};  // this node's
  std::array<double*, 2> copies_here_{};  // as pointers of the symmetric heap have them
  std::vector<int> other_nodes_;  // their lowest ranks
};

}  // namespace pagerank
