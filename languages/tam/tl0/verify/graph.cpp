// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/verify/graph.hpp"

namespace tl0 {
namespace {

class builder {
 public:
  builder(const program& p, index block) : p_(p), b_(p.blocks[block]) {
    g_.block = block;
    g_.inlets = b_.inlets.count;
    g_.threads = b_.threads.count;
  }

  graph run() {
    for (index i = b_.inlets.first; i < b_.inlets.end(); ++i) {
      const inlet& from = p_.inlets[i];
      requests(node_of_inlet(i), from.code);
      for (index k = from.posts.first; k < from.posts.end(); ++k)
        add(edge_kind::post, node_of_inlet(i), node_of_thread(p_.posts[k]), kNone);
    }
    for (index i = b_.threads.first; i < b_.threads.end(); ++i) {
      requests(node_of_thread(i), p_.threads[i].code);
      control(node_of_thread(i), p_.threads[i].code.instructions);
    }
    g_.in.set(g_.edges, g_.node_count(), &edge::to);
    g_.out.set(g_.edges, g_.node_count(), &edge::from);
    return std::move(g_);
  }

 private:
  index node_of_inlet(index i) const { return i - b_.inlets.first; }
  index node_of_thread(index i) const { return i - b_.threads.first + g_.inlets; }

  void add(edge_kind kind, index from, index to, index instruction) {
    g_.edges.push_back({kind, from, to, instruction});
  }

  void requests(index from, const body& code) {
    for (index i = code.instructions.first; i < code.instructions.end(); ++i) {
      const instruction& it = p_.instructions[i];
      const bool names_inlet = it.op == opcode::own_inlet || it.op == opcode::ifetch ||
                               it.op == opcode::mtake || it.op == opcode::length;
      if (names_inlet && it.target != kNone)
        add(edge_kind::request, from, node_of_inlet(it.target), i);
      if (it.op == opcode::falloc_at && it.other != kNone)
        add(edge_kind::request, from, node_of_inlet(it.other), i);
      // A message to an inlet of this very activation.
      if (it.op == opcode::send && it.target != kNone && is_own_frame(code, i, it.a))
        add(edge_kind::request, from, node_of_inlet(it.target), i);
    }
  }

  bool is_own_frame(const body& code, index before, operand frame) const {
    if (!frame.is_temporary()) return false;
    for (index i = before; i-- > code.instructions.first;)
      if (p_.instructions[i].to == frame) return p_.instructions[i].op == opcode::own_frame;
    return false;
  }

  void control(index from, const range& code) {
    for (index i = code.first; i < code.end(); ++i) {
      const instruction& it = p_.instructions[i];
      if (it.op == opcode::fork) add(edge_kind::fork, from, node_of_thread(it.target), i);
      if (it.op == opcode::again) add(edge_kind::again, from, node_of_thread(it.target), i);
      if (it.op != opcode::choose_thread) continue;
      if (it.target != kNone) add(edge_kind::yes, from, node_of_thread(it.target), i);
      if (it.other != kNone) add(edge_kind::no, from, node_of_thread(it.other), i);
    }
  }

  const program& p_;
  const code_block& b_;
  graph g_;
};

}  // namespace

void edges_of_nodes::set(const std::vector<edge>& edges, index nodes, index edge::* node) {
  first_.assign(nodes + 2, 0);
  for (const edge& e : edges) ++first_[e.*node + 2];
  for (index n = 2; n < nodes + 2; ++n) first_[n] += first_[n - 1];
  edges_.resize(edges.size());
  for (index e = 0; e < edges.size(); ++e) edges_[first_[edges[e].*node + 1]++] = e;
}

graph graph_of(const program& p, index block) { return builder(p, block).run(); }

std::string node_name(const program& p, const graph& g, index node) {
  const code_block& b = p.blocks[g.block];
  if (g.is_inlet(node)) return "inlet '" + p.name(p.inlets[b.inlets.first + node].name) + "'";
  return "thread '" + p.name(p.threads[b.threads.first + node - g.inlets].name) + "'";
}

position node_position(const program& p, const graph& g, index node) {
  const code_block& b = p.blocks[g.block];
  return g.is_inlet(node) ? p.inlets[b.inlets.first + node].where
                          : p.threads[b.threads.first + node - g.inlets].where;
}

std::uint32_t entries_wanted(const program& p, const graph& g, index node) {
  if (g.is_inlet(node)) return 1;
  return p.threads[p.blocks[g.block].threads.first + node - g.inlets].entry_count;
}

}  // namespace tl0
