// SPDX-License-Identifier: Apache-2.0
// The numbers that a file gives to its vertices. The programs number vertices from 0 without gaps,
// in the order of the file's numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "edges.hpp"

namespace graph {

class vertex_names {
 public:
  // Without an argument each vertex has its own number as its name.
  vertex_names() = default;
  // The name of vertex k is ascending[k].
  explicit vertex_names(std::vector<std::uint64_t> ascending) : names_(std::move(ascending)) {}

  std::uint64_t operator[](vertex v) const { return names_.empty() ? v : names_[v]; }
  bool are_own_numbers() const { return names_.empty(); }
  // The vertex with this name; kNoVertex if there is none among the `vertices` of the graph.
  vertex find(std::uint64_t name, std::uint64_t vertices) const {
    if (names_.empty()) return name < vertices ? static_cast<vertex>(name) : kNoVertex;
    const auto at = std::lower_bound(names_.begin(), names_.end(), name);
    if (at == names_.end() || *at != name) return kNoVertex;
    return static_cast<vertex>(at - names_.begin());
  }

 private:
  std::vector<std::uint64_t> names_;
};

// Numbers vertices in the order in which their names come first.
class name_table {
 public:
  // Returns kNoVertex for a new name once there are kVerticesMax names.
  vertex vertex_of(std::uint64_t name);
  // Names in the order of their vertices.
  const std::vector<std::uint64_t>& names() const { return names_; }

 private:
  void grow();
  // The slot of the name, or the free one where it belongs.
  std::size_t slot_of(std::uint64_t name) const;

  std::vector<vertex> slots_;  // kNoVertex: free; a power of two, at most half of them taken
  std::vector<std::uint64_t> names_;
};

// The numbers of these vertices in ascending order of their names.
std::vector<vertex> numbers_by_name(const std::vector<std::uint64_t>& names);

}  // namespace graph
