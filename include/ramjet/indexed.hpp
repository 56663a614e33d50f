// SPDX-License-Identifier: Apache-2.0
// Many elements of one array at once, by their indices: the pointer is checked once, and the
// accesses overlap. (The paper's split-phase reads, Culler et al. 1993, section 4, with the loop on
// this side of the interface.)
//
//   read_each(table, indices, into)      into[k] = *(table + indices[k])
//   write_each(table, indices, values)   *(table + indices[k]) = values[k]
//
// `table` is a global pointer, whose elements are all on its rank, or a spread pointer, whose
// elements go round the ranks. Blocking: all is read, or written, on return; of several writes to
// one element any is the last. `into` and `values` are this process's own memory. Elements are
// accessed in no particular order among themselves, after what this thread wrote before.
//
// Errors: an index past the end of a segment, a null or wild pointer end the process with one line,
// before anything is accessed. Deaths as in gas.hpp: failure is thrown where a rank on another node
// died before its elements came. Threads, handlers: as for read and write.
// Cost: on a node a few instructions and a load or store each, no branch; to other nodes a message
// each, and one wait for all.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "ramjet/gas.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {

[[noreturn]] void throw_failure(status s);

// An index that reaches past a segment, or a pointer that never was one.
template <class P>
[[noreturn]] void bad_element(P table, std::uint64_t index, const char* call) noexcept {
  const bool is_address = index >> 40 == 0;
  const P element = is_address ? table + std::ptrdiff_t(index) : table;
  bad_pointer(element.bits(), is_address ? sizeof(far_value<P>) : ~std::size_t{0}, call);
}

// Elements 0 to `last` of a pointer, where all of them are in near memory.
template <class P>
class near_elements;

template <class T>
class near_elements<global_ptr<T>> {
 public:
  bool find(global_ptr<T> table, std::uint64_t last, const char* call) noexcept {
    if (last >= space.segment_bytes / sizeof(T)) bad_element(table, last, call);
    first_ = reach(table.bits(), (last + 1) * sizeof(T), call);
    return first_ != nullptr && !kOneName;
  }
  std::byte* at(std::uint64_t index) const noexcept { return first_ + index * sizeof(T); }

 private:
  std::byte* first_;
};

template <class T>
class near_elements<spread_ptr<T>> {
 public:
  bool find(spread_ptr<T> table, std::uint64_t last, const char* call) noexcept {
    ranks_ = space.ranks;
    rank_ = rank_of(table.bits());
    const std::uint64_t offset = address_of(table.bits()) - space.window_base;
    if (rank_ >= ranks_ || offset > space.segment_bytes - sizeof(T) || last >> kRankShift != 0 ||
        (rank_ + last) / ranks_ > (space.segment_bytes - sizeof(T) - offset) / sizeof(T))
      bad_element(table, last, call);
    first_ = reinterpret_cast<std::byte*>(space.near_base + offset);
    stride_ = space.segment_bytes;
    inverse_ = ~std::uint64_t{0} / ranks_ + 1;
    log_ = space.ranks_log;
    return space.all_near() && !kOneName;
  }
  std::byte* at(std::uint64_t index) const noexcept {
    const std::uint64_t position = rank_ + index;
    const std::uint64_t row = log_ >= 0 ? position >> log_ : divided(position);
    return first_ + (position - row * ranks_) * stride_ + row * sizeof(T);
  }

 private:
  // By the inverse, rounded up: exact while position * ranks < 2^64. (Granlund and Montgomery 1994)
  std::uint64_t divided(std::uint64_t position) const noexcept {
    __extension__ using wide = unsigned __int128;
    return std::uint64_t(wide(position) * inverse_ >> 64);
  }

  std::byte* first_;
  std::uint64_t ranks_, rank_, stride_, inverse_;
  std::int32_t log_;
};

template <class Index>
std::uint64_t largest(std::span<const Index> indices) noexcept {
  Index most = 0;
  for (const Index i : indices) most = i > most ? i : most;
  return most;
}

// Whether elements can be accessed one by one by a plain pointer; else one by one as ever.
template <far_pointer P, class Index>
bool find_near(near_elements<P>& elements, P table, std::span<const Index> indices,
               const char* call) noexcept {
  return elements.find(table, largest(indices), call) &&
         address_of(table.bits()) % alignof(far_value<P>) == 0;
}

}  // namespace detail

template <far_pointer P, std::unsigned_integral Index>
void read_each(P table, std::span<const Index> indices, far_value<P>* into) {
  using value = far_value<P>;
  if (indices.empty()) return;
  detail::near_elements<P> elements;
  if (!detail::find_near(elements, table, indices, "read_each")) {
    for (std::size_t k = 0; k < indices.size(); ++k)
      detail::load_into(into + k, (table + std::ptrdiff_t(indices[k])).bits(), "read_each");
    if (const status s = sync(); s != status::ok) detail::throw_failure(s);
    return;
  }
  detail::land_writes();
  for (std::size_t k = 0; k < indices.size(); ++k)
    into[k] = detail::load_at<value>(elements.at(indices[k]));
}

template <far_target P, std::unsigned_integral Index>
void write_each(P table, std::span<const Index> indices, const far_value<P>* values) {
  if (indices.empty()) return;
  detail::near_elements<P> elements;
  if (!detail::find_near(elements, table, indices, "write_each")) {
    for (std::size_t k = 0; k < indices.size(); ++k)
      detail::store((table + std::ptrdiff_t(indices[k])).bits(), values[k],
                    detail::completes::at_sync, "write_each");
    if (const status s = sync(); s != status::ok) detail::throw_failure(s);
    return;
  }
  for (std::size_t k = 0; k < indices.size(); ++k)
    detail::store_at(elements.at(indices[k]), values[k]);
}

}  // namespace ramjet

#pragma GCC visibility pop
