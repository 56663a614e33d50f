// SPDX-License-Identifier: Apache-2.0
// Single accesses on words of a size known at run time, and copies of rows: what both sides of a
// far access, and the cold path of a near one, do in memory of this process.
#pragma once

#include <algorithm>
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

inline std::uint64_t load_word(std::byte* here, std::size_t bytes) noexcept {
  return by_size(bytes, [here](auto size) -> std::uint64_t {
    return __atomic_load_n(&word_at<decltype(size)>(here), __ATOMIC_SEQ_CST);
  });
}

// The next read of this thread, of whatever word, comes after it.
inline void store_word(std::byte* here, std::uint64_t value, std::size_t bytes) noexcept {
  by_size(bytes, [here, value](auto size) -> std::uint64_t {
    __atomic_store_n(&word_at<decltype(size)>(here), decltype(size)(value),
                     __ATOMIC_RELEASE);  // pairs: gas.value
    return 0;
  });
  note_write();
}

template <class Word>
std::uint64_t change(Word& at, atomic_kind kind, Word operand, Word expected) noexcept {
  switch (kind) {
    case atomic_kind::add:
      return __atomic_fetch_add(&at, operand, __ATOMIC_SEQ_CST);
    case atomic_kind::bit_and:
      return __atomic_fetch_and(&at, operand, __ATOMIC_SEQ_CST);
    case atomic_kind::bit_or:
      return __atomic_fetch_or(&at, operand, __ATOMIC_SEQ_CST);
    case atomic_kind::bit_xor:
      return __atomic_fetch_xor(&at, operand, __ATOMIC_SEQ_CST);
    case atomic_kind::exchange:
      return __atomic_exchange_n(&at, operand, __ATOMIC_SEQ_CST);
    case atomic_kind::compare_swap:
      __atomic_compare_exchange_n(&at, &expected, operand, false, __ATOMIC_SEQ_CST,
                                  __ATOMIC_SEQ_CST);
      return expected;
  }
  RAMJET_CHECK(false, "a peer asks for an atomic operation that there is not");
  return 0;
}

inline std::uint64_t change_word(std::byte* here, atomic_kind kind, std::uint64_t operand,
                                 std::uint64_t expected, std::size_t bytes) noexcept {
  before_atomic();
  const std::uint64_t before = by_size(bytes, [&](auto size) -> std::uint64_t {
    using word_type = decltype(size);
    if constexpr (sizeof(size) < 4) {
      return 0;  // far_counter and far_atomic let none through
    } else {
      return change(word_at<word_type>(here), kind, word_type(operand), word_type(expected));
    }
  });
  after_atomic();
  return before;
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
