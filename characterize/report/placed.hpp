// SPDX-License-Identifier: Apache-2.0
// What messages cost by where the two ranks are, as text.
#pragma once

#include <string>
#include <vector>

#include "characterize/remote/results.hpp"

namespace characterize {

// Of one pair of ranks.
struct placed_costs {
  std::string where;            // "the same L3 cache"
  std::vector<int> processors;  // of the two ranks; empty: not told
  message_results messages;
};

std::string text_of(const std::vector<placed_costs>& rows);
console::json as_json(const std::vector<placed_costs>& rows);

}  // namespace characterize
