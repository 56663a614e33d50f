// SPDX-License-Identifier: Apache-2.0
#include "vertex_names.hpp"

#include <numeric>

#include "../measured/random_words.hpp"

namespace graph {

std::size_t name_table::slot_of(std::uint64_t name) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = measured::scrambled(name + 1) & mask;
  while (slots_[at] != kNoVertex && names_[slots_[at]] != name) at = (at + 1) & mask;
  return at;
}

vertex name_table::vertex_of(std::uint64_t name) {
  if (names_.size() * 2 >= slots_.size()) grow();
  vertex& found = slots_[slot_of(name)];
  if (found == kNoVertex && names_.size() < kVerticesMax) {
    found = static_cast<vertex>(names_.size());
    names_.push_back(name);
  }
  return found;
}

void name_table::grow() {
  constexpr std::size_t kSlotsMin = 1024;
  slots_.assign(std::max(kSlotsMin, 2 * slots_.size()), kNoVertex);
  for (std::size_t v = 0; v < names_.size(); ++v)
    slots_[slot_of(names_[v])] = static_cast<vertex>(v);
}

std::vector<vertex> numbers_by_name(const std::vector<std::uint64_t>& names) {
  std::vector<vertex> order(names.size()), numbers(names.size());
  std::iota(order.begin(), order.end(), vertex{0});
  std::sort(order.begin(), order.end(), [&](vertex v, vertex w) { return names[v] < names[w]; });
  for (std::size_t k = 0; k < order.size(); ++k) numbers[order[k]] = static_cast<vertex>(k);
  return numbers;
}

}  // namespace graph
