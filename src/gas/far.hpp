// SPDX-License-Identifier: Apache-2.0
// The messages by which ranks access each other's memory where it is not shared, and the account of
// the one-way stores among them. Handlers of requests run at the owner: they check what they are
// asked for, and work by single loads and stores, so that any thread of the owner may run them.
#pragma once

#include <cstdint>

#include "ramjet/am.hpp"
#include "ramjet/detail/far.hpp"

namespace ramjet::detail {

// Of a copy: `rows` pieces of `row_bytes`, whose starts lie `stride` apart at the owner, and where
// they stand among all bytes of the copy. 1 <= rows, row_bytes; together at most kMediumBytesMax.
struct far_part {
  std::uint64_t bits;
  std::uint64_t row_bytes;
  std::uint64_t rows;
  std::uint64_t stride;
  std::uint64_t at;
};

// --- At the owner --------------------------------------------------------------------------------

void far_load(request_token t, std::uint32_t id, std::uint64_t bits, std::uint8_t bytes);
void far_store(request_token t, std::uint32_t id, std::uint64_t bits, std::uint64_t value,
               std::uint8_t bytes, bool counted);
void far_atomic(request_token t, std::uint32_t id, std::uint64_t bits, std::uint64_t operand,
                std::uint64_t expected, atomic_kind kind, std::uint8_t bytes, bool wakes);
void far_read(request_token t, std::uint32_t id, far_part part);
void far_write(request_token t, std::uint32_t id, far_part part, bool counted, payload data);

// --- At the requester ----------------------------------------------------------------------------

// What was there; the bytes of a part, from `at` on in its copy; so many bytes were written.
void on_far_word(reply_token t, std::uint32_t id, std::uint64_t value);
void on_far_data(reply_token t, std::uint32_t id, std::uint64_t at, payload data);
void on_far_done(reply_token t, std::uint32_t id, std::uint64_t bytes);

// --- One-way stores (stores.cpp) -----------------------------------------------------------------

// At the target, after the bytes were written.
void count_stored_here(std::uint64_t sender, std::size_t bytes) noexcept;
// At the sender: it was sent; it was answered for, or the target is dead.
void far_store_begins(std::uint64_t target, std::size_t bytes);
void far_store_ends() noexcept;

}  // namespace ramjet::detail

// A busy owner's co-processor serves them.
template <>
inline constexpr bool ramjet::coproc_safe<&ramjet::detail::far_load> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&ramjet::detail::far_store> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&ramjet::detail::far_atomic> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&ramjet::detail::far_read> = true;
template <>
inline constexpr bool ramjet::coproc_safe<&ramjet::detail::far_write> = true;
