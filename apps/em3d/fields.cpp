// SPDX-License-Identifier: Apache-2.0
#include "fields.hpp"

#include <bit>

#include <fmt/format.h>

namespace em3d {

std::uint64_t checksum(const fields& f) {
  std::uint64_t sum = 0xCBF29CE484222325;
  for (const auto& values : f.values)
    for (const double value : values) {
      sum = (sum ^ std::bit_cast<std::uint64_t>(value)) * 0x9E3779B97F4A7C15;
      sum ^= sum >> 29;
    }
  return sum;
}

std::optional<difference> first_difference(const graph& g, const fields& expected,
                                           const fields& found) {
  for (const kind k : {kind::e, kind::h})
    for (std::size_t i = 0; i < expected.of(k).size(); ++i) {
      const double should = expected.of(k)[i], is = found.of(k).at(i);
      if (std::bit_cast<std::uint64_t>(should) != std::bit_cast<std::uint64_t>(is))
        return difference{k, {int(i / g.nodes), std::uint32_t(i % g.nodes)}, should, is};
    }
  return std::nullopt;
}

std::string describe(const difference& d) {
  return fmt::format("{} node {} of rank {} is {:.17g}, and {:.17g} by the serial computation",
                     d.of == kind::e ? 'E' : 'H', d.node.index, d.node.rank, d.found, d.expected);
}

}  // namespace em3d
