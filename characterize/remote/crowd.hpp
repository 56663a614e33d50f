// SPDX-License-Identifier: Apache-2.0
// What it costs that ranks outnumber the cores: a barrier, in which each has a turn of a core, of
// ranks all of which have sent messages to each other.
#pragma once

#include "characterize/estimate.hpp"

namespace characterize {

// Collective. The time of a barrier of all ranks of the job in nanoseconds, at rank 0; at the
// others nothing of use.
double probe_barriers(const patience& each);

}  // namespace characterize
