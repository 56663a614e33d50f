// SPDX-License-Identifier: Apache-2.0
// Which figures of the machine the ranks of a job choose by (base/machine_profile.hpp): one rank of
// each node reads them, the others find them on the board.
//
// Threads: the one that calls join.
#pragma once

#include <string>

#include "job/join.hpp"

namespace ramjet::job {

// Read by the rank that lays its node out, and by rank 0 where there are several nodes. What is
// wrong with the file is said, on other nodes than rank 0's if it is something else than there.
base::machine_profile read_profile(membership& m);

// Once the node is laid out: what its board holds; but what all ranks of the job have to have
// alike is rank 0's. On failure `message` holds one sentence.
status take_profile(const membership& m, std::string& message);

}  // namespace ramjet::job
