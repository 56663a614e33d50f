// SPDX-License-Identifier: Apache-2.0
#include "kronecker.hpp"

#include "../measured/random_words.hpp"

namespace graph {
namespace {

// Probabilities in units of 2^-32: of the upper left quadrant, of both upper ones, of all but the
// lower right one.
constexpr std::uint32_t share(double p) { return static_cast<std::uint32_t>(p * 0x1p32); }
constexpr std::uint32_t kUpperLeft = share(0.57), kUpper = share(0.76), kNotLast = share(0.95);

}  // namespace

permutation::permutation(const kronecker& k)
    : mask_(k.vertices() - 1), fold_(static_cast<unsigned>(k.scale + 1) / 2) {
  measured::random_words words({k.seed, UINT64_MAX});
  for (round& r : rounds_) {
    r.factor = words.next() | 1;
    r.offset = words.next();
  }
}

vertex permutation::operator()(vertex v) const {
  std::uint64_t x = v;
  for (const round& r : rounds_) {
    x = (x * r.factor + r.offset) & mask_;
    x ^= x >> fold_;
  }
  return static_cast<vertex>(x);
}

edge kronecker::edge_at(std::uint64_t k) const {
  measured::random_words words({seed, k});
  std::uint64_t word = 0;
  vertex a = 0, b = 0;
  for (std::uint64_t level = 0; level < scale; ++level) {
    word = level % 2 == 0 ? words.next() : word >> 32;  // a word holds two draws
    const auto draw = static_cast<std::uint32_t>(word);
    const bool lower = draw >= kUpper, right = lower ? draw >= kNotLast : draw >= kUpperLeft;
    a = a << 1 | lower;
    b = b << 1 | right;
  }
  return {a, b};
}

edge_share share_of(const kronecker& k, int rank, int ranks) {
  const auto part = static_cast<std::uint64_t>(rank), parts = static_cast<std::uint64_t>(ranks);
  edge_share share{.vertices = k.vertices(), .edges = k.edges(), .mine = {}};
  share.mine.reserve(share.edges / parts + 1);
  const permutation permuted(k);
  for (std::uint64_t i = part; i < share.edges; i += parts) {
    const edge e = k.edge_at(i);
    share.mine.push_back({permuted(e.a), permuted(e.b)});
  }
  return share;
}

}  // namespace graph
