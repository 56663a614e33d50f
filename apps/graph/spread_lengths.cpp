// SPDX-License-Identifier: Apache-2.0
#include "spread_lengths.hpp"

#include <algorithm>
#include <span>
#include <tuple>

#include <ramjet/ramjet.hpp>

#include "../measured/program.hpp"

namespace graph {
namespace {

using measured::require;

std::vector<edge_end>* arrived = nullptr;  // of this rank, for its handler

// The library aggregates its messages because it takes a span.
void on_ends(std::span<const edge_end> ends) {
  arrived->insert(arrived->end(), ends.begin(), ends.end());
}

}  // namespace

spread_lengths distribute_lengths(const edge_share& share, const measured::ownership& owners) {
  const edge_lengths& given = *share.lengths;
  spread_lengths all{.ends = {},
                     .longest = given.longest,
                     .mean = std::min(given.sum / static_cast<double>(share.edges), given.longest),
                     .are_whole = given.are_whole};
  arrived = &all.ends;
  require(ramjet::barrier());  // all ranks are ready for messages
  const auto send = [&](edge_end end) {
    const int owner = owners.owner_of(end.at);
    if (owner == ramjet::rank())
      all.ends.push_back(end);
    else
      require(ramjet::request<&on_ends>(owner, end));
  };
  for (std::size_t k = 0; k < share.mine.size(); ++k) {
    const edge e = share.mine[k];
    send({e.a, e.b, given.mine[k]});
    send({e.b, e.a, given.mine[k]});
  }
  require(ramjet::quiesce());
  arrived = nullptr;
  std::sort(all.ends.begin(), all.ends.end(), [](const edge_end& a, const edge_end& b) {
    return std::tie(a.at, a.length, a.to) < std::tie(b.at, b.length, b.to);
  });
  return all;
}

}  // namespace graph
