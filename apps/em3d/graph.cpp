// SPDX-License-Identifier: Apache-2.0
// Every node has a sequence of random numbers of its own. An edge takes four of them, whatever the
// percentage is: graphs of two percentages differ in the edges that one has remote and the other
// has not.
//
// An iteration changes no value by more than 1 / iterations of the greatest, so that after all of
// them the greatest is at most e^2: no run overflows or fades away, however long it is.
#include "graph.hpp"

namespace em3d {
namespace {

enum class purpose : std::uint64_t { edges, value };

// SplitMix64 (Steele, Lea and Flood 2014).
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
  x = (x ^ x >> 27) * 0x94D049BB133111EB;
  return x ^ x >> 31;
}

class random_sequence {
 public:
  random_sequence(const graph& g, purpose what, kind of, node_id node) {
    for (const std::uint64_t word : {g.seed, std::uint64_t(what), std::uint64_t(of),
                                     std::uint64_t(node.rank), std::uint64_t(node.index)})
      state_ = mixed(state_ + kStep + word);
  }

  std::uint64_t next() { return mixed(state_ += kStep); }
  // Uniform below `bound`, which has at most 32 bits.
  std::uint32_t below(std::uint64_t bound) { return std::uint32_t((next() >> 32) * bound >> 32); }
  // Uniform in [-1, 1).
  double signed_unit() { return double(std::int64_t(next())) * 0x1p-63; }

 private:
  static constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15;
  std::uint64_t state_ = 0;
};

}  // namespace

void draw_edges(const graph& g, kind of, node_id node, std::span<dependence> edges) {
  random_sequence random(g, purpose::edges, of, node);
  const double step = 1.0 / (double(g.degree) * double(g.iterations));
  for (dependence& d : edges) {
    const bool remote = random.below(100) < g.remote_percent && g.ranks > 1;
    const int elsewhere = int(random.below(std::uint64_t(g.ranks > 1 ? g.ranks - 1 : 1)));
    d.on.rank = !remote ? node.rank : elsewhere < node.rank ? elsewhere : elsewhere + 1;
    d.on.index = random.below(g.nodes);
    d.weight = random.signed_unit() * step;
  }
}

double initial_value(const graph& g, kind of, node_id node) {
  return random_sequence(g, purpose::value, of, node).signed_unit();
}

}  // namespace em3d
