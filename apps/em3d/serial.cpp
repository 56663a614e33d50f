// SPDX-License-Identifier: Apache-2.0
#include "serial.hpp"

#include <span>

namespace em3d {
namespace {

// All nodes of a kind and the edges that lead to them, in the order of fields.
std::vector<dependence> draw_whole(const graph& g, kind of) {
  std::vector<dependence> edges(std::size_t(g.ranks) * g.nodes * g.degree);
  std::span<dependence> rest(edges);
  for (int rank = 0; rank < g.ranks; ++rank)
    for (std::size_t i = 0; i < g.nodes; ++i, rest = rest.subspan(g.degree))
      draw_edges(g, of, {rank, std::uint32_t(i)}, rest.first(g.degree));
  return edges;
}

void update(const graph& g, std::vector<double>& to, const std::vector<double>& from,
            const std::vector<dependence>& edges) {
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const dependence& d = edges[i];
    double& value = to[i / g.degree];
    value = after_edge(value, d.weight, from[std::size_t(d.on.rank) * g.nodes + d.on.index]);
  }
}

}  // namespace

fields solve(const graph& g) {
  fields f;
  for (const kind k : {kind::e, kind::h})
    for (int rank = 0; rank < g.ranks; ++rank)
      for (std::size_t i = 0; i < g.nodes; ++i)
        f.of(k).push_back(initial_value(g, k, {rank, std::uint32_t(i)}));
  const auto to_e = draw_whole(g, kind::e), to_h = draw_whole(g, kind::h);
  for (unsigned i = 0; i < g.iterations; ++i) {
    update(g, f.of(kind::e), f.of(kind::h), to_e);
    update(g, f.of(kind::h), f.of(kind::e), to_h);
  }
  return f;
}

local_graph::local_graph(const graph& g, int rank) : graph_(g), rank_(rank) {
  for (auto& values : values_) values.resize(g.nodes);
  std::vector<dependence> edges(g.degree);
  for (const kind k : {kind::e, kind::h}) {
    near_nodes& nodes = nodes_[std::size_t(k)];
    const double* from = values_[std::size_t(other(k))].data();
    nodes.count = g.nodes;
    nodes.degree = g.degree;
    nodes.values = values_[std::size_t(k)].data();
    nodes.from = from;
    for (std::size_t i = 0; i < g.nodes; ++i) {
      draw_edges(g, k, {rank, std::uint32_t(i)}, edges);
      for (const dependence& d : edges) nodes.edges.push_back({from + d.on.index, d.weight});
    }
  }
}

void local_graph::reset() {
  for (const kind k : {kind::e, kind::h})
    for (std::size_t i = 0; i < graph_.nodes; ++i)
      values_[std::size_t(k)][i] = initial_value(graph_, k, {rank_, std::uint32_t(i)});
}

void local_graph::run(unsigned iterations) {
  for (unsigned i = 0; i < iterations; ++i)
    for (near_nodes& nodes : nodes_) update_plain(nodes);
}

}  // namespace em3d
