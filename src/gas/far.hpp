// SPDX-License-Identifier: Apache-2.0
// How ranks access each other's memory where it is not shared. A request and its answer have one
// encoding. Where the channel takes accesses (channel/access.hpp), they are served at the owner
// while it pumps, or by the mesh's thread while it does not (am/serving.hpp); elsewhere one handler
// there calls the same service. What a request names is checked, and done by single loads and
// stores, so any thread of the owner may serve.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "channel/access.hpp"
#include "ramjet/am.hpp"
#include "ramjet/detail/gas/far.hpp"

namespace ramjet::detail {

// The words of a request: `bits` of a load, and the value of a store; bits, operand, expected of an
// atomic operation. A far_part of read, of write, which its bytes follow, and of wrote, whose bytes
// were deposited just before. A far_list of the lists.
using far_words = std::array<std::uint64_t, 5>;
constexpr unsigned words_of(access_op op) noexcept {
  return op >= access_op::read ? 5 : op >= access_op::add ? 3 : op == access_op::store ? 2 : 1;
}

// Of a copy: `rows` pieces of `row_bytes`, whose starts lie `stride` apart at the owner, and where
// they stand among all bytes of the copy. 1 <= rows, row_bytes; together at most kMediumBytesMax,
// kDepositBytesMax of one row that was deposited, or kFetchBytesMax of one row that is fetched,
// which no owner sees.
struct far_part {
  std::uint64_t bits;
  std::uint64_t row_bytes;
  std::uint64_t rows;
  std::uint64_t stride;
  std::uint64_t at;
};
static_assert(sizeof(far_part) == sizeof(far_words));

inline constexpr std::size_t kDepositBytesMax = std::size_t{4} << 20;

// Of a list: `count` elements, element k at `bits` and row[k] elements further on. The rows follow,
// each an unsigned number of row_bytes, 4 or 8; then what is written or added, without a gap.
// `at` is where the elements stand among the bytes of the whole access. 1 <= count,
// element_bytes <= kListedBytesMax; what is read fits one answer.
struct far_list {
  std::uint64_t bits;
  std::uint64_t element_bytes;
  std::uint64_t row_bytes;
  std::uint64_t count;
  std::uint64_t at;
};
static_assert(sizeof(far_list) == sizeof(far_words));
// Longer elements are worth a message each.
inline constexpr std::size_t kListedBytesMax = 256;

constexpr bool is_list(access_op op) noexcept { return op >= access_op::read_list; }

// The operation, in one byte.
struct far_code {
  access_op op;
  std::uint8_t bytes = 8;  // of the word: 1, 2, 4, 8
  bool flag = false;  // of a load: it is not counted as a message; of a store: its bytes are

  constexpr std::uint8_t packed() const noexcept {
    return std::uint8_t(unsigned(op) << 3 | unsigned(flag) << 2 |
                        unsigned(std::countr_zero(bytes)));
  }
  // Of any byte: there may be no such operation.
  static constexpr far_code of(std::uint8_t packed) noexcept {
    return {access_op(packed >> 3), std::uint8_t(1u << (packed & 3)), (packed >> 2 & 1) != 0};
  }
  constexpr bool is_counted() const noexcept { return op != access_op::load || !flag; }
};

// What an answer's word is.
enum class far_answer : std::uint8_t {
  value,  // of the word: what stood there
  data,  // where in the copy its bytes begin
  done,  // how many bytes were written
};

// Elements of one far rank: as a far_list without `at`, of any length.
struct element_share {
  std::uint64_t bits;
  std::size_t element_bytes;
  const std::byte* rows;
  std::size_t row_bytes;
  std::size_t count;
  std::byte* values;  // read to here, or written or added from
};
// At the requester (far.cpp): begins the access as a call. The share's memory stays as it is until
// the call has ended.
call_state* far_list_call(access_op op, const element_share& share, const char* call);
// Waits until all have ended, then throws failure if one of them failed.
void await_far_calls(std::span<call_state* const> calls, const char* call);

// At the owner (far_owner.cpp), by the channel: what is wrong with the peer, or null.
const char* serve_access(unsigned port, std::uint8_t what, const channel::piece& request,
                         channel::access_answer& into, channel::server by);
// By messages: at the owner, at the requester (far.cpp). One that is wrong ends the process.
void far_request(request_token t, std::uint32_t id, std::uint8_t what, far_words words,
                 payload data);
void on_far_answer(reply_token t, std::uint32_t id, std::uint8_t what, std::uint64_t number,
                   payload data);

}  // namespace ramjet::detail

// A busy owner's co-processor serves them.
template <>
inline constexpr bool ramjet::coproc_safe<&ramjet::detail::far_request> = true;
