// SPDX-License-Identifier: Apache-2.0
// Walking through the posted conditions of a worker.
#pragma once

#include "ramjet/ult/detail/wait_list.hpp"

namespace ramjet::ult::detail {

// Tests up to `most` conditions of each kind.
void test_posted(worker* w, std::uint32_t most);

// The first of the posted deadlines, CLOCK_MONOTONIC in ns; 0: none.
std::uint64_t first_deadline(const worker* w) noexcept;

}  // namespace ramjet::ult::detail
