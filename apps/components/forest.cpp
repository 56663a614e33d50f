// SPDX-License-Identifier: Apache-2.0
#include "forest.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

#include "../measured/random_words.hpp"

namespace components {
namespace {

constexpr int kFirstNeighbours = 2;
constexpr std::size_t kSamples = 1024;
constexpr vertex kAhead = 32;  // rows whose neighbours are fetched before they are read

// The root of the set that most of some vertices with edges are in; of no set if there is no vertex
// with an edge among them.
vertex root_of_most(const graph::rows& rows, const forest& sets) {
  measured::random_words words({0xc0});
  std::vector<vertex> roots;
  for (std::size_t k = 0; k < kSamples && sets.count() > 0; ++k) {
    const auto row = static_cast<vertex>(words.next_below(sets.count()));
    if (!rows[row].empty()) roots.push_back(sets.root_of(row));
  }
  std::sort(roots.begin(), roots.end());
  vertex most = graph::kNoVertex;
  std::size_t most_times = 0;
  for (std::size_t begin = 0, end = 0; begin < roots.size(); begin = end) {
    while (end < roots.size() && roots[end] == roots[begin]) ++end;
    if (end - begin <= most_times) continue;
    most_times = end - begin;
    most = roots[begin];
  }
  return most;
}

}  // namespace

void forest::reset() { std::iota(parents_.begin(), parents_.end(), vertex{0}); }

void forest::flatten() {
  for (vertex& p : parents_) p = parents_[p];  // whose own is right, as it comes before
}

// No branch depends on which rows they are, which no processor could foresee.
std::span<const vertex> forest::find_outside(const graph::rows& rows, vertex set) {
  constexpr std::size_t kChunk = 256;
  std::array<vertex, kChunk> some;
  const auto size = static_cast<vertex>(count());
  outside_.clear();
  for (vertex row = 0; row < size;) {
    std::size_t n = 0;
    for (const vertex end = std::min<vertex>(size, row + kChunk); row < end; ++row) {
      some[n] = row;
      const bool has_edges = rows.begins[row] != rows.begins[row + 1];
      n += static_cast<unsigned>(has_edges) & static_cast<unsigned>(root_of(row) != set);
    }
    outside_.insert(outside_.end(), some.data(), some.data() + n);
  }
  return outside_;
}

vertex join_block(const graph::rows& rows, vertex first, forest& sets) {
  const auto count = static_cast<vertex>(sets.count());
  for (vertex row = 0; row < count; ++row) {
    rows.prefetch(row + kAhead);
    int joined = 0;
    for (const vertex w : rows[row]) {
      if (w - first >= count || joined++ == kFirstNeighbours) break;
      sets.join(row, w - first);
    }
  }
  sets.flatten();
  const vertex most = root_of_most(rows, sets);
  graph::for_rows(rows, sets.find_outside(rows, most), [&](vertex row) {  // the others join it
    for (const vertex w : rows[row]) {
      if (w - first >= count) break;
      sets.join(row, w - first);
    }
  });
  sets.flatten();
  return most == graph::kNoVertex ? most : sets.root_of(most);
}

}  // namespace components
