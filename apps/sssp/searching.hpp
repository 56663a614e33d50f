// SPDX-License-Identifier: Apache-2.0
// Shortest ways from one vertex by all ranks: delta-stepping (Meyer and Sanders 2003). Vertices
// whose distance is not final stand in buckets of a width; the ranks empty the buckets together,
// from the nearest on. Each rank follows the edges of the vertices that it owns, in four ways of
// telling their owners of ways to the others.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "../graph/spread_graph.hpp"
#include "../measured/batches.hpp"
#include "bucket_walk.hpp"
#include "buckets.hpp"
#include "weighted_rows.hpp"

namespace sssp {

using graph::vertex;

enum class way { natural, filtered, batched, chained };
inline constexpr std::array kWays{way::natural, way::filtered, way::batched, way::chained};
const char* name_of(way w);

// What a message says: a way to a vertex, its length, and the vertex before.
template <class Distance>
struct relaxation {
  vertex at, parent;
  Distance length;
};

// One a rank: its handlers find it.
template <class Distance>
class searcher {
 public:
  using way_found = relaxation<Distance>;

  // `rows` are this rank's. The graph outlives the searcher. Collective.
  searcher(const graph::spread_graph& g, weighted_rows<Distance> rows, Distance longest_edge,
           Distance delta);
  ~searcher();
  searcher(const searcher&) = delete;
  searcher& operator=(const searcher&) = delete;

  // Fills parents() and distances(). Collective.
  void search(way w, vertex root);
  // One for each vertex of this rank, in the order of the rows; the root is its own parent.
  // kNoVertex and kFarthest: the root does not reach the vertex.
  std::span<const vertex> parents() const { return parents_; }
  std::span<const Distance> distances() const {
    return std::span<const Distance>(shortest_).subspan(graph_.first, parents_.size());
  }

 private:
  // The handlers' way in.
  template <class D>
  friend struct handlers;

  // A comparison; who the owner of another one is, takes a multiplication.
  bool is_mine(vertex v) const { return v - graph_.first < parents_.size(); }

  // Of a vertex of this rank.
  void relax(way_found r) {
    if (r.length < shortest_[r.at]) improve(r);
  }
  void improve(way_found r) {
    shortest_[r.at] = r.length;
    parents_[r.at - graph_.first] = r.parent;
    buckets_.add({r.at, r.length});
  }
  // The same for several. Where the next ones stand is fetched meanwhile.
  void relax_all(std::span<const way_found> relaxations);

  // A way to a vertex of any rank. One to another's is sent if it is shorter than all that this
  // rank has sent.
  // Inlined, because each followed edge calls it.
  template <class Send>
  [[gnu::always_inline]] void relax_or_send(way_found r, Send&& send);

  // follow(to, from, length) relaxes an edge.
  template <class Follow, class Flush>
  void by_buckets(Follow&& follow, Flush&& flush);
  template <class Follow>
  void chained(Follow&& follow);
  // Follows the inner edges of what is new in the bucket, in a handler; to others' vertices by
  // `chain`.
  void go_on();

  const graph::spread_graph& graph_;
  weighted_rows<Distance> rows_;
  std::vector<vertex> parents_;
  // Of all vertices: of this rank's, the distance so far; of another, the length of the shortest
  // way that its owner was told of by this rank, which is not less than its distance.
  std::vector<Distance> shortest_;
  buckets<Distance> buckets_;
  std::size_t bucket_ = 0;  // of chained: the one that this rank empties
  bucket_walk<Distance> walk_;
  measured::batches<way_found> batches_;
};

}  // namespace sssp
