// SPDX-License-Identifier: Apache-2.0
// Where ranks outnumber the cores, what counts is how often the processors have to turn from one to
// another: all ranks of the job meet at a counter in shared memory, and the last to arrive lets
// everyone go. A short value that each brings along lies in shared memory too.
//
// A value slot is written by its rank before it arrives and read by all until they arrive the next
// time, so two slots in turn are enough.
#pragma once

#include "am/collectives/operation.hpp"

namespace ramjet::detail {

// Whether the team is one that can: all ranks of a job on one machine.
bool meets_at_counter(const team_state& t) noexcept;

enum class meeting { barrier = 0, values = 1 };

// Says that this rank is here, and returns the generation in which it came.
std::uint32_t arrive(engine& e, meeting m);
// Whether all have come since.
bool everyone_came(const engine& e, meeting m, std::uint32_t generation);

// all_reduce of at most kShortBytes by all ranks of the job.
status all_reduce_at_counter(const operation& o, array_view values, combination op);

}  // namespace ramjet::detail
