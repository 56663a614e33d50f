// SPDX-License-Identifier: Apache-2.0
// The graph of a code block: its inlets and threads, and who gives whom an entry.
//
// An inlet gets one message for each request that names it: a fetch whose answer it takes, or one
// that passes the inlet's name as a value, so that the holder can answer. An inlet that nothing in
// the block names is one that others send to, once in an activation.
#ifndef TL0_VERIFY_GRAPH_HPP
#define TL0_VERIFY_GRAPH_HPP

#include <span>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

enum class edge_kind : std::uint8_t { post, fork, again, yes, no, request };

struct edge {
  edge_kind is;
  index from, to;  // nodes
  index instruction;  // that makes it; kNone: a post
};

// Of each node some edges, in their order.
class edges_of_nodes {
 public:
  std::span<const index> operator[](index node) const {
    return {edges_.data() + first_[node], first_[node + 1] - first_[node]};
  }
  void set(const std::vector<edge>& edges, index nodes, index edge::* node);

 private:
  std::vector<index> first_, edges_;
};

// Nodes are the block's inlets, then its threads; entry and exit have no edges.
struct graph {
  index block;
  std::vector<edge> edges;
  edges_of_nodes in, out;

  index inlets, threads;  // how many of either
  index node_count() const { return inlets + threads; }
  bool is_inlet(index node) const { return node < inlets; }
};

graph graph_of(const program& p, index block);

// inlet 'x', thread 'y'
std::string node_name(const program& p, const graph& g, index node);
position node_position(const program& p, const graph& g, index node);
std::uint32_t entries_wanted(const program& p, const graph& g, index node);

}  // namespace tl0

#endif
