// SPDX-License-Identifier: Apache-2.0
// Elements of an array by their indices, where all of them are in near memory: checked once, found
// by a few instructions and no branch each. What indexed.hpp is made of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ramjet/detail/gas/reach.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// Ends the process: an index that reaches past a segment, or a pointer that never was one.
[[noreturn]] RAMJET_COLD void bad_element(const element_table& table, std::uint64_t index,
                                          const char* call) noexcept;

// Elements that are all on one rank, or go round the ranks.
template <bool Spread>
class near_elements;

template <>
class near_elements<false> {
 public:
  // Checks elements 0 to `last`; whether all are near, and at() finds them.
  bool find(const element_table& table, std::uint64_t last, const char* call) noexcept {
    bytes_ = table.element_bytes;
    if (last >= space.segment_bytes / bytes_) bad_element(table, last, call);
    first_ = reach(table.bits, (last + 1) * bytes_, call);
    return first_ != nullptr && !kOneName;
  }
  std::byte* at(std::uint64_t index) const noexcept { return first_ + index * bytes_; }

 private:
  std::byte* first_;
  std::size_t bytes_;
};

template <>
class near_elements<true> {
 public:
  bool find(const element_table& table, std::uint64_t last, const char* call) noexcept {
    bytes_ = table.element_bytes;
    ranks_ = space.ranks;
    rank_ = rank_of(table.bits);
    const std::uint64_t offset = address_of(table.bits) - space.window_base;
    if (rank_ >= ranks_ || bytes_ > space.segment_bytes || offset > space.segment_bytes - bytes_ ||
        last >> kRankShift != 0 ||
        (rank_ + last) / ranks_ > (space.segment_bytes - bytes_ - offset) / bytes_)
      bad_element(table, last, call);
    first_ = reinterpret_cast<std::byte*>(space.segment_base + offset);
    stride_ = space.segment_bytes;
    step_ = bytes_ - ranks_ * stride_;
    inverse_ = ~std::uint64_t{0} / ranks_ + 1;
    log_ = space.ranks_log;
    return space.all_near() && !kOneName;
  }
  // The rank that has the element, and its row there, in elements from the table's address on.
  struct place {
    std::uint64_t rank, row;
  };
  place place_of(std::uint64_t index) const noexcept {
    const std::uint64_t position = rank_ + index;
    const std::uint64_t row = row_of(position);
    return {position - row * ranks_, row};
  }
  std::byte* at(std::uint64_t index) const noexcept {
    const std::uint64_t position = rank_ + index;
    return first_ + (position * stride_ + row_of(position) * step_);
  }

 private:
  std::uint64_t row_of(std::uint64_t position) const noexcept {
    return log_ >= 0 ? position >> log_ : divided(position);
  }
  // By the inverse, rounded up: exact while position * ranks < 2^64. (Granlund and Montgomery 1994)
  std::uint64_t divided(std::uint64_t position) const noexcept {
    __extension__ using wide = unsigned __int128;
    return std::uint64_t(wide(position) * inverse_ >> 64);
  }

  std::byte* first_;
  std::size_t bytes_;
  std::uint64_t ranks_, rank_, stride_, inverse_;
  std::uint64_t step_;  // bytes_ - ranks_ * stride_, modulo 2^64
  std::int32_t log_;
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
