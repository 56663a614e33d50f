// SPDX-License-Identifier: Apache-2.0
// The order in which a rank starts and ends: it joins its job, watches over the ranks of its node
// where no launcher of ours does, and connects to those of other nodes.
//
// Threads: the one that calls init and finalize.
#pragma once

#include <string>

#include "job/join.hpp"
#include "trace/file/node_trace.hpp"

namespace ramjet::detail {

// Returns once every rank of the job has come and can be reached. On failure nothing of this rank
// is left but its line on the board, and `message` holds one sentence that says what to do.
status start(const job::join_request& request, std::string& message);

// Where this machine's part of the job's trace is written; null: nowhere.
trace::node_trace* own_node_trace() noexcept;

// In a forked child, which must not try to end threads that only the parent has: forgets them.
void leave_in_child() noexcept;

// Leaves the job in order. No endpoint is open any more.
void stop();

}  // namespace ramjet::detail
