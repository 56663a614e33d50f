// SPDX-License-Identifier: Apache-2.0
// The connected components of a graph by all ranks: the label of a vertex is the least vertex that
// it is connected to. Three ways:
//
//   natural, batched   each vertex tells its neighbours of its label, and again when it has been
//                      told of a lesser one
//   linked             each rank joins its own vertices as a serial program does; what is left are
//                      trees over ranks, joined by messages that climb them: an edge between two
//                      trees hangs the one with the greater root under the other
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "../graph/spread_graph.hpp"
#include "../measured/batches.hpp"
#include "forest.hpp"

namespace components {

enum class way { natural, batched, linked };
inline constexpr std::array kWays{way::natural, way::batched, way::linked};
const char* name_of(way w);

// What a message says: a label for a vertex; that two vertices are connected, to the owner of
// `at`; who asks for the root above `at`; the root that `at` asked for.
struct telling {
  vertex at, other;
};

// One a rank: its handlers find it.
class labeller {
 public:
  // Collective. The graph is to outlive it.
  explicit labeller(const graph::spread_graph& g);
  ~labeller();
  labeller(const labeller&) = delete;
  labeller& operator=(const labeller&) = delete;

  // Fills labels(). Collective.
  void label(way w);
  // Of this rank's vertices, one for each row of the graph.
  std::span<const vertex> labels() const { return labels_; }

 private:
  // The handlers' way in.
  friend struct handlers;

  bool is_mine(vertex v) const { return v - graph_.first < labels_.size(); }

  void lower(telling t) {
    const vertex row = t.at - graph_.first;
    if (t.other >= labels_[row]) return;
    labels_[row] = t.other;
    if (is_changed_[row] != 0) return;
    is_changed_[row] = 1;
    changed_.push_back(row);
  }
  template <class Send, class Flush>
  void propagate(Send&& send, Flush&& flush);

  void linked();
  // The top of the tree above a vertex of this rank, as far as it is this rank's.
  vertex top_row(vertex v) const;
  // Notes that vertices are connected, of which the first is this rank's, or has that noted where
  // it can be.
  void connect(telling t);
  // Some edges that lead out of the set in which most of this rank's vertices are.
  void connect_some_of(vertex most);
  // Finds the tree that the greatest set of all ranks is in. Collective; nobody connects meanwhile.
  void find_greatest(vertex most);
  // This rank's part of in_greatest_.
  void note_in_greatest();
  // All edges that lead out of this rank, but of vertices in the greatest tree. One that leads into
  // that tree connects its root, which takes no message.
  void connect_the_others();
  // Fills root_labels_. Collective; nobody connects meanwhile.
  void find_root_labels();
  void climb(vertex at, vertex asking);

  const graph::spread_graph& graph_;
  std::vector<vertex> labels_;
  // Of natural and batched: rows that have something to tell, and which those are.
  std::vector<vertex> changed_;
  std::vector<unsigned char> is_changed_;
  measured::batches<telling> batches_;
  // Of linked, by row. Only those of roots in own_ count.
  forest own_;  // this rank's vertices by the edges among them
  std::vector<vertex> above_;  // the vertex that a root hangs under, less than it; or kNoVertex
  std::vector<vertex> hung_;  // the rows that have one
  std::vector<vertex> root_labels_;
  // The root of the tree that the greatest set of all ranks is in; the root of this rank's greatest
  // set if it is in that tree, too; bits of all ranks' vertices in such sets.
  vertex greatest_ = graph::kNoVertex, most_ = graph::kNoVertex;
  std::vector<std::uint64_t> in_greatest_;
  std::span<const vertex> outside_;  // rows that have edges and are not in most_'s set
};

}  // namespace components
