// SPDX-License-Identifier: Apache-2.0
// What two ranks that share memory pay while a third one is silent: on their node, or on another
// one, so that a network is open but idle.
#pragma once

#include "tools/characterize/estimate.hpp"
#include "tools/cli/json.hpp"

namespace characterize {

struct beside_silent_rank {
  double round_trip_ns = 0;  // a request and its reply
  double gap_ns = 0;         // between the messages of a long row
  double poll_ns = 0;        // that finds nothing
};

// Collective over three ranks, 0 and 1 on one node and a processor each. The results at rank 0, at
// the others nothing of use.
beside_silent_rank probe_beside_silent_rank(const patience& each);

console::json as_json(const beside_silent_rank& r);
// Throws console::json::wrong_kind.
beside_silent_rank beside_silent_rank_of(const console::json& j);

}  // namespace characterize
