// SPDX-License-Identifier: Apache-2.0
// Every node has a sequence of random numbers of its own. An edge takes four of them, whatever the
// percentage is: graphs of two percentages differ in the edges that one has remote and the other
// has not.
//
// An iteration changes no value by more than 1 / iterations of the greatest, so that after all of
// them the greatest is at most e^2: no run overflows or fades away, however long it is.
#include "graph.hpp"

#include "../measured/random_words.hpp"

namespace em3d {
namespace {

enum class purpose : std::uint64_t { edges, value };

measured::random_words words_for(const graph& g, purpose what, kind of, node_id node) {
  return measured::random_words({g.seed, std::uint64_t(what), std::uint64_t(of),
                                 std::uint64_t(node.rank), std::uint64_t(node.index)});
}

// Uniform in [-1, 1).
double signed_unit(measured::random_words& words) {
  return double(std::int64_t(words.next())) * 0x1p-63;
}

}  // namespace

void draw_edges(const graph& g, kind of, node_id node, std::span<dependence> edges) {
  measured::random_words words = words_for(g, purpose::edges, of, node);
  const double step = 1.0 / (double(g.degree) * double(g.iterations));
  for (dependence& d : edges) {
    const bool remote = words.next_below(100) < g.remote_percent && g.ranks > 1;
    const int elsewhere = int(words.next_below(std::uint64_t(g.ranks > 1 ? g.ranks - 1 : 1)));
    d.on.rank = !remote ? node.rank : elsewhere < node.rank ? elsewhere : elsewhere + 1;
    d.on.index = std::uint32_t(words.next_below(g.nodes));
    d.weight = signed_unit(words) * step;
  }
}

double initial_value(const graph& g, kind of, node_id node) {
  measured::random_words words = words_for(g, purpose::value, of, node);
  return signed_unit(words);
}

}  // namespace em3d
