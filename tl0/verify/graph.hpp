// SPDX-License-Identifier: Apache-2.0
// The graph of a code block: its inlets and threads, and who gives whom an entry.
//
// An inlet gets one message for each request that names it: a fetch whose answer it takes, or its
// name as a value, by which whoever holds that answers. An inlet that nothing in the block names is
// one that others send to, once in an activation.
#ifndef TL0_VERIFY_GRAPH_HPP
#define TL0_VERIFY_GRAPH_HPP

#include <vector>

#include "tl0/program/program.hpp"

namespace tl0 {

enum class edge_kind : std::uint8_t { post, fork, again, yes, no, request };

struct edge {
  edge_kind is;
  index from, to;  // nodes
  index instruction;  // that makes it; kNone: a post
};

// Nodes are the block's inlets, then its threads; entry and exit have no edges.
struct graph {
  index block;
  std::vector<edge> edges;
  std::vector<std::vector<index>> in, out;  // of each node, edges

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
