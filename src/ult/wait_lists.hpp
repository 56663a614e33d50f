// SPDX-License-Identifier: Apache-2.0
// Walking through the posted conditions of a worker.
#pragma once

#include "ramjet/ult/detail/wait_list.hpp"

namespace ramjet::ult::detail {

// Tests up to `most` conditions of each kind.
void test_posted(worker* w, std::uint32_t most);

// Ends the process if the worker's wait lists are not what they say: every entry belongs to a place
// of its group that points back to it, and the counts are those of the entries. Debug and sanitizer
// builds do so with every 64th of the watcher's turns.
void audit_wait_lists(const worker* w);

// The first of the posted deadlines, CLOCK_MONOTONIC in ns; 0: none.
std::uint64_t first_deadline(const worker* w) noexcept;

}  // namespace ramjet::ult::detail
