// SPDX-License-Identifier: Apache-2.0
// What messages cost by where the two ranks are, and what an idle network adds to them, as text.
#pragma once

#include <string>
#include <vector>

#include "tools/characterize/remote/results.hpp"
#include "tools/characterize/remote/silent_rank.hpp"

namespace characterize {

// Of one pair of ranks.
struct placed_costs {
  std::string where;            // "the same L3 cache"
  std::vector<int> processors;  // of the two ranks; empty: not told
  message_results messages;
};

std::string text_of(const std::vector<placed_costs>& rows);
console::json as_json(const std::vector<placed_costs>& rows);

// Beside a silent rank of the same node, and one of another node.
struct idle_network {
  beside_silent_rank without, with;
  double drift = 1;  // of the round trips without it, which are measured in turns
};
std::string text_of(const idle_network& n);
console::json as_json(const idle_network& n);

}  // namespace characterize
