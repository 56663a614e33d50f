// SPDX-License-Identifier: Apache-2.0
// The probes of remote memory and of messages (Arpaci et al. 1995, sections 3 to 6), between two
// ranks that share memory or do not.
#pragma once

#include "tools/characterize/estimate.hpp"
#include "tools/characterize/remote/results.hpp"

namespace characterize {

struct remote_plan {
  patience each;
  std::size_t bytes_most = std::size_t{4} << 20;  // of a transfer
};

// Collective over a job of two ranks. The results at rank 0, at rank 1 nothing of use.
remote_results probe_remote(const remote_plan& plan);
message_results probe_messages(const remote_plan& plan);

}  // namespace characterize
