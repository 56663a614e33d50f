// SPDX-License-Identifier: Apache-2.0
#include "checking.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ramjet/ramjet.hpp>

#include "../measured/agreeing.hpp"
#include "../measured/random_words.hpp"

namespace components {

using graph::vertex;

std::string fault_at(const graph::rows& mine, vertex first, std::span<const vertex> labels) {
  for (std::size_t k = 0; k < mine.count(); ++k) {
    const vertex v = first + static_cast<vertex>(k), label = labels[v];
    if (label > v || labels[label] != label)
      return fmt::format("vertex {} has the label {}, which is not a label", v, label);
    for (const vertex w : mine[k])
      if (labels[w] != label)
        return fmt::format("the neighbours {} and {} have the labels {} and {}", v, w, label,
                           labels[w]);
  }
  return {};
}

summary summary_of(std::span<const vertex> labels, const graph::vertex_names& names) {
  summary s;
  std::vector<vertex> vertices(labels.size());  // by label
  for (vertex v = 0; v < labels.size(); ++v) {
    ++vertices[labels[v]];
    s.checksum += measured::scrambled(names[v] + 1) * (names[labels[v]] + 1);
  }
  for (const vertex count : vertices) {
    s.components += count > 0;
    s.largest = std::max<std::uint64_t>(s.largest, count);
  }
  return s;
}

summary checked(const graph::spread_graph& g, std::span<const vertex> labels) {
  std::vector<vertex> all(g.vertices);
  const std::vector<std::size_t> counts = graph::counts_of_all(labels.size());
  measured::require(
      ramjet::all_gather(labels, std::span<vertex>(all), std::span<const std::size_t>(counts)));
  measured::agreed([&] {
    if (const std::string fault = fault_at(g.mine, g.first, all); !fault.empty())
      throw measured::failure("wrong labels: " + fault);
  });
  return summary_of(all, g.names);
}

}  // namespace components
