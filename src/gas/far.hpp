// SPDX-License-Identifier: Apache-2.0
// How ranks access each other's memory where it is not shared, and the account of the one-way
// stores among it. Where the channel takes accesses (channel/access.hpp), it has them served at the
// owner while it pumps; elsewhere they are messages, whose handlers run there. Either way what is
// asked for is checked, and done by single loads and stores, so that any thread of the owner may
// serve.
#pragma once

#include <bit>
#include <cstdint>

#include "channel/access.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/gas/far.hpp"

namespace ramjet::detail {

// Of a copy: `rows` pieces of `row_bytes`, whose starts lie `stride` apart at the owner, and where
// they stand among all bytes of the copy. 1 <= rows, row_bytes; together at most kMediumBytesMax,
// or kFetchBytesMax of one row that is fetched, which no owner sees.
struct far_part {
  std::uint64_t bits;
  std::uint64_t row_bytes;
  std::uint64_t rows;
  std::uint64_t stride;
  std::uint64_t at;
};

// --- By the channel ------------------------------------------------------------------------------

// What an access asks for, and the words that follow. Whoever is asked does not believe them.
enum class far_op : std::uint8_t {
  load,  // bits
  store,  // bits, value
  read,  // far_part
  write,  // far_part; the bytes
  wrote,  // bits, bytes: so many were deposited there just before
  atomic,  // bits, operand, expected
};
// In one byte.
struct far_code {
  far_op op;
  std::uint8_t bytes = 8;  // of the word: 1, 2, 4, 8
  bool flag = false;  // a store is counted; the rank is woken after an atomic operation
  atomic_kind kind = atomic_kind::add;

  constexpr std::uint8_t packed() const noexcept {
    const unsigned which = unsigned(op) + (op == far_op::atomic ? unsigned(kind) : 0);
    return std::uint8_t(which << 3 | unsigned(flag) << 2 | unsigned(std::countr_zero(bytes)));
  }
  // Of any byte: a kind that there is not is found where it would be used.
  static constexpr far_code of(std::uint8_t packed) noexcept {
    const unsigned which = packed >> 3, atomic = unsigned(far_op::atomic);
    return {.op = far_op(which < atomic ? which : atomic),
            .bytes = std::uint8_t(1u << (packed & 3)),
            .flag = (packed >> 2 & 1) != 0,
            .kind = atomic_kind(which < atomic ? 0 : which - atomic)};
  }
};

// What an answer's word is.
enum class far_answer : std::uint8_t {
  value,  // of the word: what stood there
  data,  // where in the copy its bytes begin
  done,  // how many bytes were written
};

// --- At the owner --------------------------------------------------------------------------------

// The access functions of the channel; what is wrong with the peer, or null.
const char* serve_access(unsigned port, std::uint8_t what, const channel::piece& request,
                         channel::access_answer& into);

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

// At the target's node, after the bytes were written.
void count_stored_at(std::uint64_t target, std::uint64_t sender, std::size_t bytes) noexcept;
// At the sender: it was sent; it was answered for, or nobody can do so any more.
void far_store_begins(std::uint64_t target, std::size_t bytes);
void far_store_ends(status how) noexcept;

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
