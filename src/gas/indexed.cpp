// SPDX-License-Identifier: Apache-2.0
// Elements by their indices where some of them are far, or where their size is known at run time
// alone. The indices are sorted by rank, in batches that keep what is made of them small.
// A far rank's share goes to it as lists, all ranks' under way together; near shares are accessed
// in place meanwhile.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gas/far.hpp"
#include "gas/in_place.hpp"
#include "ramjet/detail/gas/elements.hpp"

namespace ramjet::detail {

namespace {

// How many elements at a time.
constexpr std::size_t kElementsAtOnce = 256 * 1024, kBytesAtOnce = 4 * 1024 * 1024;

// f(a list's first index) with its own type.
template <class F>
auto with_index_type(const index_list& list, F&& f) {
  switch (list.bytes) {
    case 1:
      return f(static_cast<const std::uint8_t*>(list.first));
    case 2:
      return f(static_cast<const std::uint16_t*>(list.first));
    case 4:
      return f(static_cast<const std::uint32_t*>(list.first));
    default:
      return f(static_cast<const std::uint64_t*>(list.first));
  }
}

std::uint64_t largest_of(const index_list& list) {
  return with_index_type(list, [&](const auto* first) -> std::uint64_t {
    return *std::max_element(first, first + list.count);
  });
}

void access_in_place(access_op op, std::byte* here, std::byte* value, std::size_t bytes) noexcept {
  if (op == access_op::read_list)
    read_element(here, value, bytes);
  else
    change_element(op, here, value, bytes);
}

// What an access is about, after all its indices were checked.
struct element_access {
  access_op op;
  element_table table;
  std::byte* values;
  std::size_t step;  // between values: 0 where all have one
  const char* call;
};

// --- All near ------------------------------------------------------------------------------------

// Checks all indices, up to `last`; whether all elements were near, and were accessed.
template <class Elements>
bool access_near(const element_access& a, const index_list& indices, Elements& elements,
                 std::uint64_t last) {
  if (!elements.find(a.table, last, a.call)) return false;
  with_index_type(indices, [&](const auto* index) {
    for (std::size_t k = 0; k < indices.count; ++k)
      access_in_place(a.op, elements.at(index[k]), a.values + k * a.step, a.table.element_bytes);
  });
  return true;
}

// --- Some far ------------------------------------------------------------------------------------

// Some of an access's indices, sorted by rank. Slot s, of rank r's share where
// ends[r - 1] <= s < ends[r], is element rows[s] of that rank, and index number order[s].
template <class Row>
struct sorted_indices {
  std::vector<std::uint32_t> ends, order;
  std::vector<Row> rows;
};

// place(index) is the rank and the row of an element.
template <class Row, class Index, class Place>
void sort_by_rank(sorted_indices<Row>& sorted, std::size_t ranks, std::span<const Index> indices,
                  Place&& place) {
  std::vector<std::uint32_t>& ends = sorted.ends;
  ends.assign(ranks + 1, 0);
  for (const Index i : indices) ++ends[place(i).rank + 1];
  for (std::size_t r = 0; r < ranks; ++r) ends[r + 1] += ends[r];
  sorted.order.resize(indices.size());
  sorted.rows.resize(indices.size());
  for (std::size_t k = 0; k < indices.size(); ++k) {
    const auto p = place(indices[k]);
    const std::uint32_t slot = ends[p.rank]++;
    sorted.order[slot] = std::uint32_t(k);
    sorted.rows[slot] = Row(p.row);
  }
}

// Accesses the elements; values[s * element_bytes] is that of slot s.
template <class Row>
void access_shares(const element_access& a, const sorted_indices<Row>& sorted, std::byte* values) {
  const std::size_t bytes = a.table.element_bytes;
  std::vector<call_state*> calls;
  std::vector<element_share> near_shares;
  for (std::size_t r = 0, first = 0; r + 1 < sorted.ends.size(); first = sorted.ends[r++]) {
    if (sorted.ends[r] == first) continue;
    const element_share share{make_bits(r, address_of(a.table.bits)),
                              bytes,
                              reinterpret_cast<const std::byte*>(sorted.rows.data() + first),
                              sizeof(Row),
                              sorted.ends[r] - first,
                              values + first * bytes};
    if (reach(share.bits, bytes, a.call) != nullptr)
      near_shares.push_back(share);
    else
      calls.push_back(far_list_call(a.op, share, a.call));
  }
  for (const element_share& share : near_shares) {
    std::byte* const here = reach(share.bits, bytes, a.call);
    const auto* const rows = reinterpret_cast<const Row*>(share.rows);
    for (std::size_t k = 0; k < share.count; ++k)
      access_in_place(a.op, here + rows[k] * bytes, share.values + k * bytes, bytes);
  }
  await_far_calls(calls, a.call);
}

// The indices from number `first` on, `count` of them.
template <class Row, class Place>
void access_some(const element_access& a, const index_list& indices, std::size_t first,
                 std::size_t count, sorted_indices<Row>& sorted, std::byte* values, Place&& place) {
  const std::size_t bytes = a.table.element_bytes;
  with_index_type(indices, [&](const auto* all) {
    sort_by_rank(sorted, live_space.ranks, std::span(all + first, count), place);
  });
  std::byte* const given = a.values + first * a.step;
  if (a.op != access_op::read_list) {
    for (std::size_t s = 0; s < count; ++s)
      std::memcpy(values + s * bytes, given + sorted.order[s] * a.step, bytes);
  }
  access_shares(a, sorted, values);
  if (a.op == access_op::read_list) {
    for (std::size_t s = 0; s < count; ++s)
      std::memcpy(given + sorted.order[s] * bytes, values + s * bytes, bytes);
  }
}

template <class Row, class Place>
void access_in_parts(const element_access& a, const index_list& indices, Place&& place) {
  const std::size_t at_once =
      std::min({indices.count, kElementsAtOnce,
                std::max<std::size_t>(kBytesAtOnce / a.table.element_bytes, 1)});
  sorted_indices<Row> sorted;
  const auto values = std::make_unique_for_overwrite<std::byte[]>(at_once * a.table.element_bytes);
  for (std::size_t first = 0; first < indices.count; first += at_once)
    access_some(a, indices, first, std::min(at_once, indices.count - first), sorted, values.get(),
                place);
}

// Long elements: a call each, up to kLongAtOnce at a time.
constexpr std::size_t kLongAtOnce = 256;

template <class Place>
void access_one_by_one(const element_access& a, const index_list& indices, Place&& place) {
  std::vector<call_state*> calls;
  const auto begin = [&](std::uint64_t index, std::byte* value) {
    const auto p = place(index);
    const std::size_t bytes = a.table.element_bytes;
    const std::uint64_t bits = make_bits(p.rank, address_of(a.table.bits) + p.row * bytes);
    std::byte* const here = reach(bits, bytes, a.call);
    if (here != nullptr)
      access_in_place(a.op, here, value, bytes);
    else if (a.op == access_op::read_list)
      calls.push_back(far_in_call(value, bits, bytes, a.call));
    else
      calls.push_back(far_out_call(bits, value, bytes, a.call));
    if (calls.size() < kLongAtOnce) return;
    await_far_calls(std::exchange(calls, {}), a.call);
  };
  with_index_type(indices, [&](const auto* index) {
    for (std::size_t k = 0; k < indices.count; ++k) begin(index[k], a.values + k * a.step);
  });
  await_far_calls(calls, a.call);
}

template <class Place>
void access_mixed(const element_access& a, const index_list& indices, std::uint64_t last_row,
                  Place&& place) {
  if (a.table.element_bytes > kListedBytesMax) return access_one_by_one(a, indices, place);
  if (last_row <= std::uint32_t(~0u)) return access_in_parts<std::uint32_t>(a, indices, place);
  access_in_parts<std::uint64_t>(a, indices, place);
}

}  // namespace

void bad_element(const element_table& t, std::uint64_t index, const char* call) noexcept {
  const bool is_address = index >> 40 == 0;
  const auto n = std::ptrdiff_t(index);
  const std::uint64_t bits = !is_address    ? t.bits
                             : !t.is_spread ? advance_segmented(t.bits, n, t.element_bytes)
                                            : advance_wrapped_slow(t.bits, n, t.element_bytes);
  bad_pointer(bits, is_address ? t.element_bytes : ~std::size_t{0}, call);
}

void access_elements(access_op op, const element_table& table, const index_list& indices,
                     void* values, bool one_value, const char* call) {
  if (indices.count == 0) return;
  const std::size_t bytes = table.element_bytes;
  if (op == access_op::add_list && address_of(table.bits) % bytes != 0)
    misaligned(table.bits, bytes, call);
  fence_pending_writes();
  const element_access a{op, table, static_cast<std::byte*>(values), one_value ? 0 : bytes, call};
  const std::uint64_t last = largest_of(indices);
  if (table.is_spread) {
    near_elements<true> elements;
    if (access_near(a, indices, elements, last)) return;
    return access_mixed(a, indices, elements.place_of(last).row,
                        [elements](std::uint64_t index) { return elements.place_of(index); });
  }
  near_elements<false> elements;
  if (access_near(a, indices, elements, last)) return;
  access_mixed(a, indices, last, [rank = rank_of(table.bits)](std::uint64_t index) {
    return near_elements<true>::place{rank, index};
  });
}

}  // namespace ramjet::detail
