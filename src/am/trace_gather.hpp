// SPDX-License-Identifier: Apache-2.0
// How the parts of a trace that a job's machines have written become one file on rank 0's: the
// lowest rank of each machine compares its clock with rank 0's when the job starts and when it
// ends, and sends its part to rank 0, which brings them together (ADR 22).
//
// Threads: the one that calls init and finalize. Nothing here does anything in a job that is not
// traced, or whose launcher takes the events.
#pragma once

#include "ramjet/detail/am/engine.hpp"

namespace ramjet::detail::trace_gathering {

// Once the endpoint is open.
void compare_clocks(engine& e);
// `together`: all ranks have come to the end, and none has died; else the parts stay where they
// are.
void gather(engine& e, bool together);
// The job ends now, by this rank: its machine's part gets what there is.
void finish_part() noexcept;

}  // namespace ramjet::detail::trace_gathering
