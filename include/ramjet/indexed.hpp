// SPDX-License-Identifier: Apache-2.0
// Many elements of one array at once, by their indices: the pointer is checked once, and the
// accesses overlap. (The paper's split-phase reads, Culler et al. 1993, section 4, with the loop on
// this side of the interface.)
//
//   read_each(table, indices, into)      into[k] = *(table + indices[k])
//   write_each(table, indices, values)   *(table + indices[k]) = values[k]
//   add_each(table, indices, values)     *(table + indices[k]) += values[k], atomic
//   add_each(table, indices, value)      the same value to each
//
// `table` is a global pointer, whose elements are all on its rank, or a spread pointer, whose
// elements go round the ranks. Blocking: all is read, written or added on return; of several writes
// to one element any is the last. `into` and `values` are this process's own memory. Elements are
// accessed in no particular order among themselves, after what this thread wrote before.
//
// Errors: an index past the end of a segment, a null or wild pointer end the process with one line,
// before anything is accessed. Deaths as in gas.hpp: failure is thrown where a rank on another node
// died before its elements were accessed; the others are. Threads, handlers: as for read and write.
// Cost: on a node a few instructions and a load, store or atomic operation each, no branch. Where
// some are on other nodes: they are sorted by rank, 256 Ki of them or 4 MiB at a time, and go as
// lists, up to 4 KiB a message, many under way; one wait for all. Elements of over 256 bytes go one
// by one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "ramjet/detail/gas/elements.hpp"
#include "ramjet/gas.hpp"

#pragma GCC visibility push(default)

namespace ramjet {

namespace detail {

template <class P>
inline constexpr bool is_spread = false;
template <class T>
inline constexpr bool is_spread<spread_ptr<T>> = true;

template <class Index>
std::uint64_t largest(std::span<const Index> indices) noexcept {
  Index most = 0;
  for (const Index i : indices) most = i > most ? i : most;
  return most;
}

// Calls in_place(k, element) for each index if all elements are near words or aligned values;
// whether it did. All indices are checked first.
template <far_pointer P, class Index, class F>
bool each_near(P table, std::span<const Index> indices, const char* call, F in_place) noexcept {
  near_elements<is_spread<P>> elements;
  if (!elements.find({table.bits(), sizeof(far_value<P>), is_spread<P>}, largest(indices), call) ||
      address_of(table.bits()) % alignof(far_value<P>) != 0)
    return false;
  for (std::size_t k = 0; k < indices.size(); ++k) in_place(k, elements.at(indices[k]));
  return true;
}

template <far_pointer P, class Index>
void each_far(access_op op, P table, std::span<const Index> indices, far_value<P>* values,
              bool one_value, const char* call) {
  access_elements(op, {table.bits(), sizeof(far_value<P>), is_spread<P>},
                  {indices.data(), indices.size(), sizeof(Index)}, values, one_value, call);
}

template <far_counter P, class Index>
void add_each(P table, std::span<const Index> indices, const far_value<P>* values, bool one_value) {
  using value = far_value<P>;
  if (indices.empty()) return;
  if (address_of(table.bits()) % sizeof(value) != 0) [[unlikely]]
    misaligned(table.bits(), sizeof(value), "add_each");
  before_atomic();
  const bool was_near = each_near(table, indices, "add_each", [=](std::size_t k, std::byte* here) {
    change<access_op::add>(reinterpret_cast<value*>(here), values[one_value ? 0 : k], value{});
  });
  if (was_near) return after_atomic();
  each_far(access_op::add_list, table, indices, const_cast<value*>(values), one_value, "add_each");
}

}  // namespace detail

template <far_pointer P, std::unsigned_integral Index>
void read_each(P table, std::span<const Index> indices, far_value<P>* into) {
  if (indices.empty()) return;
  detail::fence_pending_writes();
  const bool was_near = detail::each_near(
      table, indices, "read_each",
      [into](std::size_t k, std::byte* here) { into[k] = detail::load_at<far_value<P>>(here); });
  if (!was_near)
    detail::each_far(detail::access_op::read_list, table, indices, into, false, "read_each");
}

template <far_target P, std::unsigned_integral Index>
void write_each(P table, std::span<const Index> indices, const far_value<P>* values) {
  if (indices.empty()) return;
  const bool was_near = detail::each_near(
      table, indices, "write_each",
      [values](std::size_t k, std::byte* here) { detail::place_at(here, values[k]); });
  if (was_near) return detail::note_write();
  detail::each_far(detail::access_op::write_list, table, indices, const_cast<far_value<P>*>(values),
                   false, "write_each");  // read only
}

template <far_counter P, std::unsigned_integral Index>
void add_each(P table, std::span<const Index> indices, const far_value<P>* values) {
  detail::add_each(table, indices, values, false);
}
template <far_counter P, std::unsigned_integral Index, value_for<P> V = far_value<P>>
void add_each(P table, std::span<const Index> indices, const V& value) {
  const far_value<P> by = detail::fit_argument<3, far_value<P>>(value);
  detail::add_each(table, indices, &by, true);
}

}  // namespace ramjet

#pragma GCC visibility pop
