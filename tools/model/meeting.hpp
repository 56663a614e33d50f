// SPDX-License-Identifier: Apache-2.0
// When each rank leaves a collective operation, given when it entered.
#pragma once

#include <vector>

#include "tools/model/parameters.hpp"

namespace loggp {

// All ranks meet, each leaving with `bytes` that all have contributed to; `times` are when each
// rank comes, and then when it leaves. With a core for each rank it is a dissemination, log2 n
// rounds; where ranks outnumber cores the ranks of a node meet at a counter, and the nodes by
// rounds. Returns the overhead of one rank.
double meet_all(const machine& m, double bytes, std::vector<double>& times);

// `bytes` from rank 0 by a binomial tree. Returns the overhead of all ranks.
double broadcast(const machine& m, double bytes, std::vector<double>& times);

}  // namespace loggp
