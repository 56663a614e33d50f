// SPDX-License-Identifier: Apache-2.0
// Accesses to words of a size known at run time, and copies of rows: what both sides of a far
// access, and the cold path of a near one, do in memory that is mapped here.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/gas/far.hpp"
#include "ramjet/detail/gas/reach.hpp"
#include "ramjet/gas.hpp"

namespace ramjet::detail {

// --- Words in place ------------------------------------------------------------------------------

template <class Word>
Word& word_at(std::byte* here) noexcept {
  return *reinterpret_cast<Word*>(here);
}
// A word that is not is copied, as longer values are.
inline bool is_aligned(const std::byte* here, std::size_t bytes) noexcept {
  return reinterpret_cast<std::uintptr_t>(here) % bytes == 0;
}

// f(a word of that size) for the size that is named.
template <class F>
std::uint64_t by_size(std::size_t bytes, F&& f) noexcept {
  switch (bytes) {
    case 1:
      return f(typename word_for<1>::type{});
    case 2:
      return f(typename word_for<2>::type{});
    case 4:
      return f(typename word_for<4>::type{});
    default:
      return f(typename word_for<8>::type{});
  }
}

inline void read_bytes(const std::byte* here, void* into, std::size_t bytes) noexcept {
  std::memcpy(into, here, bytes);
  value_fence(std::memory_order_acquire);  // pairs: gas.value
}
inline void write_bytes(std::byte* here, const void* value, std::size_t bytes) noexcept {
  value_fence(std::memory_order_release);  // pairs: gas.value
  std::memcpy(here, value, bytes);
  note_write();
}

inline std::uint64_t load_word(std::byte* here, std::size_t bytes) noexcept {
  if (!is_aligned(here, bytes)) {
    std::uint64_t value = 0;
    read_bytes(here, &value, bytes);
    return value;
  }
  return by_size(bytes, [here](auto size) -> std::uint64_t {
    // store-load: gas.sequential (both)
    return __atomic_load_n(&word_at<decltype(size)>(here), __ATOMIC_SEQ_CST);
  });
}

// The next read of this thread, of whatever word, comes after it.
inline void store_word(std::byte* here, std::uint64_t value, std::size_t bytes) noexcept {
  if (!is_aligned(here, bytes)) return write_bytes(here, &value, bytes);
  by_size(bytes, [here, value](auto size) -> std::uint64_t {
    __atomic_store_n(&word_at<decltype(size)>(here), decltype(size)(value),
                     __ATOMIC_RELEASE);  // pairs: gas.value
    return 0;
  });
  note_write();
}

template <class Word>
Word change_by(access_op op, Word* at, Word operand, Word expected) noexcept {
  switch (op) {
    case access_op::bit_and:
      return change<access_op::bit_and>(at, operand, expected);
    case access_op::bit_or:
      return change<access_op::bit_or>(at, operand, expected);
    case access_op::bit_xor:
      return change<access_op::bit_xor>(at, operand, expected);
    case access_op::exchange:
      return change<access_op::exchange>(at, operand, expected);
    case access_op::compare_swap:
      return change<access_op::compare_swap>(at, operand, expected);
    default:
      return change<access_op::add>(at, operand, expected);
  }
}

inline std::uint64_t change_word(std::byte* here, access_op op, std::uint64_t operand,
                                 std::uint64_t expected, std::size_t bytes) noexcept {
  before_atomic();
  const std::uint64_t before = by_size(bytes, [&](auto size) -> std::uint64_t {
    using word_type = decltype(size);
    if constexpr (sizeof(size) < 4) {
      return 0;  // far_counter and serve_word let none through
    } else {
      return change_by(op, &word_at<word_type>(here), word_type(operand), word_type(expected));
    }
  });
  after_atomic();
  return before;
}

constexpr bool is_atomic(access_op op) noexcept {
  return op >= access_op::add && op <= access_op::signal;
}

// Does it to the word that the bits name, which stands here; what was there before, but of a store.
inline std::uint64_t do_in_place(std::byte* here, access_op op, std::uint64_t bits,
                                 std::uint64_t operand, std::uint64_t expected,
                                 std::size_t bytes) noexcept {
  if (op == access_op::load) return load_word(here, bytes);
  if (is_atomic(op)) {
    const std::uint64_t before = change_word(here, op, operand, expected, bytes);
    if (op == access_op::signal) wake_rank(rank_of(bits));
    return before;
  }
  store_word(here, operand, bytes);
  return 0;
}

// --- Elements of a list --------------------------------------------------------------------------

// Of any number of bytes, read and written whole where they are a word's.
constexpr bool is_word_size(std::size_t bytes) noexcept {
  return std::has_single_bit(bytes) && bytes <= 8;
}

inline void read_element(std::byte* here, std::byte* into, std::size_t bytes) noexcept {
  if (!is_word_size(bytes)) return read_bytes(here, into, bytes);
  const std::uint64_t number = load_word(here, bytes);
  std::memcpy(into, &number, bytes);
}

// write_list, or add_list of 4 or 8 aligned bytes.
inline void change_element(access_op op, std::byte* here, const std::byte* value,
                           std::size_t bytes) noexcept {
  if (!is_word_size(bytes)) return write_bytes(here, value, bytes);
  std::uint64_t number = 0;
  std::memcpy(&number, value, bytes);
  if (op == access_op::add_list)
    change_word(here, access_op::add, number, 0, bytes);
  else
    store_word(here, number, bytes);
}

// --- Rows ----------------------------------------------------------------------------------------

// Where byte `at` of all rows stands.
inline std::byte* place_in_rows(std::byte* first, std::size_t row_bytes, std::size_t stride,
                                std::size_t at) noexcept {
  return first + at / row_bytes * stride + at % row_bytes;
}
// What stands at [at, at + bytes) of all rows: f(first byte of a run, its bytes, those before it).
template <class F>
void each_run(std::byte* first, std::size_t row_bytes, std::size_t stride, std::size_t at,
              std::size_t bytes, F&& f) {
  for (std::size_t done = 0; done < bytes;) {
    const std::size_t run = std::min(row_bytes - (at + done) % row_bytes, bytes - done);
    f(place_in_rows(first, row_bytes, stride, at + done), run, done);
    done += run;
  }
}
inline void scatter(std::byte* first, std::size_t row_bytes, std::size_t stride, std::size_t at,
                    const std::byte* from, std::size_t bytes) {
  each_run(first, row_bytes, stride, at, bytes,
           [from](std::byte* to, std::size_t run, std::size_t done) {
             std::memcpy(to, from + done, run);
           });
}
inline void gather(std::byte* to, std::byte* first, std::size_t row_bytes, std::size_t stride,
                   std::size_t at, std::size_t bytes) {
  each_run(first, row_bytes, stride, at, bytes,
           [to](const std::byte* from, std::size_t run, std::size_t done) {
             std::memcpy(to + done, from, run);
           });
}

}  // namespace ramjet::detail
