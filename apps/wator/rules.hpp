// SPDX-License-Identifier: Apache-2.0
// The rules of the sea, for a strip of its rows. All chance is a hash of the seed, the time and the
// place, so that any division of the sea into strips comes to the same.
//
// A step has two halves: first all fish move, then all sharks. In each half
//   1. every mover picks a cell beside it to move to: water for a fish; for a shark a fish, or else
//      water. With nowhere to go it stays;
//   2. every cell that movers have picked takes one of them in, and the others stay;
//   3. a mover that has moved and is old enough leaves a young one behind. A shark eats the fish of
//      the cell that it moves to, and starves when it has not eaten for long.
// What becomes of a cell depends on the cells at most kReach steps away.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cell.hpp"

namespace wator {

inline constexpr std::size_t kReach = 3;

struct rules {
  std::size_t width = 0, height = 0;
  std::uint64_t seed = 0;
  // At first there are sharks in any cell, and fish in all others of some squares of `shoal` rows
  // and columns. The percentages are of all cells, to be expected.
  std::uint64_t fish_percent = 0, sharks_percent = 0;
  std::size_t shoal = 1;
  unsigned fish_breed = 0, shark_breed = 0, starve = 0;  // ages in steps
};

// What has happened in some cells.
struct tally {
  std::uint64_t fish_born = 0, fish_eaten = 0, sharks_born = 0, sharks_starved = 0;
  friend tally operator+(const tally& a, const tally& b) {
    return {a.fish_born + b.fish_born, a.fish_eaten + b.fish_eaten, a.sharks_born + b.sharks_born,
            a.sharks_starved + b.sharks_starved};
  }
};

cell first_cell(const rules& r, std::size_t row, std::size_t column);

class strip {
 public:
  // Of `rows` rows from `first` on, with kReach more on both sides.
  strip(const rules& r, std::size_t first, std::size_t rows);

  // By rows from kReach above the strip on.
  std::size_t rows_with_halo() const { return rows_ + 2 * kReach; }
  cell& at(std::size_t halo_row, std::size_t column) {
    return cells_[halo_row * r_.width + column];
  }
  // The row of the sea.
  std::size_t row_of(std::size_t halo_row) const {
    return (first_ + halo_row + kReach * r_.height - kReach) % r_.height;
  }

  // The half of a step in which `mover` moves; `half` counts them. Writes the strip's rows, one
  // after the other, to `into`.
  tally move(kind mover, std::uint64_t half, cell* into);

 private:
  using direction = std::uint8_t;

  std::size_t beside(std::size_t at, direction d) const;
  std::uint64_t chance(std::size_t at, unsigned purpose) const;
  direction pick(unsigned mask, std::size_t at, unsigned purpose) const;
  direction wish_at(std::size_t at) const;
  direction guest_at(std::size_t at) const;
  cell next_at(std::size_t at, tally& t) const;
  cell arrived(const cell& c, bool ate, tally& t) const;
  cell left_behind(const cell& c, bool ate, tally& t) const;
  bool survives(const cell& c, bool ate) const;
  unsigned breeding_age() const;

  const rules r_;
  std::size_t first_, rows_;
  kind mover_ = kind::fish;
  std::uint64_t half_ = 0;
  std::vector<cell> cells_;
  std::vector<direction> wishes_;  // where the mover wants to go
  std::vector<direction> guests_;  // where the mover comes from that the cell takes in
};

}  // namespace wator
