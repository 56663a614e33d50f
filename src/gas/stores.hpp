// SPDX-License-Identifier: Apache-2.0
// The account of one-way stores to far ranks (stores.cpp), as far accesses keep it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/status.hpp"

namespace ramjet::detail {

// At the target's node, after the bytes were written.
void count_stored_at(std::uint64_t target, std::uint64_t sender, std::size_t bytes) noexcept;
// At the sender: it was sent; it was answered for, or nobody can do so any more.
void far_store_begins(std::uint64_t target, std::size_t bytes);
void far_store_ends(status how) noexcept;

}  // namespace ramjet::detail
