// SPDX-License-Identifier: Apache-2.0
// The synthetic graph: which nodes the value of each node depends on, and how much. (Culler et al.
// 1993 and Arpaci et al. 1995, section 8, use such graphs.) E nodes depend on H nodes only, and H
// nodes on E nodes. Pure functions of the description: every rank draws the part that it wants, its
// own or another's, and all see the same graph.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

namespace em3d {

enum class kind : std::uint8_t { e, h };

constexpr kind other(kind k) { return k == kind::e ? kind::h : kind::e; }

struct graph {
  std::uint64_t seed = 1;
  int ranks = 1;
  std::size_t nodes = 250;  // of each kind, on each rank
  std::size_t degree = 20;  // edges that lead to a node
  unsigned remote_percent = 0;  // of the edges, from other ranks; 0 if there are none
  unsigned iterations = 100;  // the time step is 1 / iterations

  // That one rank brings up to date in an iteration.
  std::size_t edges_per_rank() const { return 2 * nodes * degree; }
  friend bool operator==(const graph&, const graph&) = default;
};

// One of the nodes of a kind.
struct node_id {
  int rank = 0;
  std::uint32_t index = 0;  // < graph::nodes
  friend auto operator<=>(const node_id&, const node_id&) = default;
};

// An edge, seen from the node that it leads to.
struct dependence {
  node_id on;  // of the other kind
  double weight = 0;  // |weight| <= 1 / (degree * iterations)
};

// Fills in the g.degree edges that lead to a node. The same node may be drawn more than once.
void draw_edges(const graph& g, kind of, node_id node, std::span<dependence> edges);

// The value of a node before the first iteration: in [-1, 1).
double initial_value(const graph& g, kind of, node_id node);

}  // namespace em3d
