// SPDX-License-Identifier: Apache-2.0
#include "sea.hpp"

#include "../measured/program.hpp"

namespace wator {
namespace {

const cell* own_room = nullptr;  // set before any rank reads

// At the owner, in its poll or on its co-processor.
cell read_cell(std::uint64_t place) { return own_room[place]; }

}  // namespace
}  // namespace wator

template <>
inline constexpr bool ramjet::coproc_safe<&wator::read_cell> = true;

namespace wator {

sea::sea(const rules& r)
    : r_(r),
      rows_most_((r.height + std::size_t(ramjet::size()) - 1) / std::size_t(ramjet::size())) {
  room_ = ramjet::spread_ptr<cell>(ramjet::all_spread_malloc(
      std::size_t(ramjet::size()), 2 * rows_most_ * r.width * sizeof(cell)));
  if (!room_)
    throw measured::failure(
        "no room for the sea in the ranks' segments: make --width or --height smaller, or "
        "RAMJET_SEGMENT_BYTES greater");
  own_room = room_.local();
  cell* to = mine(0);
  for (std::size_t row = first_row(); row < first_row() + rows(); ++row)
    for (std::size_t column = 0; column < r.width; ++column) *to++ = first_cell(r, row, column);
  measured::require(ramjet::barrier());
}

std::size_t sea::first_row_of(int rank) const {
  return r_.height * std::size_t(rank) / std::size_t(ramjet::size());
}

int sea::owner_of(std::size_t row) const {
  const auto ranks = std::size_t(ramjet::size());
  int owner = int(row * ranks / r_.height);
  if (first_row_of(owner + 1) <= row) ++owner;  // rounded down
  return owner;
}

cell* sea::mine(std::uint64_t half) const {
  return room_.local() + (half % 2) * rows_most_ * r_.width;
}

// In the owner's room.
std::size_t sea::place_of(std::uint64_t half, std::size_t row, std::size_t column) const {
  const std::size_t own_row = row - first_row_of(owner_of(row));
  return ((half % 2) * rows_most_ + own_row) * r_.width + column;
}

cell sea::read_by_message(std::uint64_t half, std::size_t row, std::size_t column) const {
  auto answer = ramjet::call<read_cell>(owner_of(row), std::uint64_t{place_of(half, row, column)});
  measured::require(answer.wait());
  return answer.get();
}

cell sea::read_by_pointer(std::uint64_t half, std::size_t row, std::size_t column) const {
  return ramjet::read(ramjet::global_ptr<const cell>(
      ramjet::global_ptr<cell>(owner_of(row), room_.local() + place_of(half, row, column))));
}

std::vector<cell> sea::gather(std::uint64_t half) const {
  std::vector<cell> all(r_.width * r_.height);
  for (int rank = 0; rank < ramjet::size(); ++rank) {
    const std::size_t first = first_row_of(rank), end = first_row_of(rank + 1);
    const ramjet::global_ptr<cell> from(rank, mine(half));
    ramjet::bulk_read(all.data() + first * r_.width, from, (end - first) * r_.width * sizeof(cell));
  }
  return all;
}

}  // namespace wator
