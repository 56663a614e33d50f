// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <algorithm>
#include <bit>

#include "../measured/random_words.hpp"

namespace wator {
namespace {

// Directions are north, east, south, west; d ^ 2 is the opposite one.
constexpr std::uint8_t kDirections = 4, kNone = 4;
constexpr std::uint64_t kFirstHalf = 0;  // the sea is made
// What a place's chance is for: in the first half, and in all others.
constexpr unsigned kForShark = 0, kForAge = 1, kForShoal = 2;
constexpr unsigned kForWish = 0, kForGuest = 1;
constexpr unsigned kPurposes = 3;

std::uint64_t hash_of(std::uint64_t seed, std::uint64_t time, std::uint64_t place) {
  return measured::scrambled(measured::scrambled(measured::scrambled(seed + 1) + time) + place);
}
std::uint64_t below(std::uint64_t hash, std::uint64_t n) { return (hash >> 32) * n >> 32; }

}  // namespace

cell first_cell(const rules& r, std::size_t row, std::size_t column) {
  const auto chance = [&r](std::size_t in_row, std::size_t in_column, unsigned purpose) {
    return hash_of(r.seed, kFirstHalf, (in_row * r.width + in_column) * kPurposes + purpose);
  };
  const std::uint64_t age = chance(row, column, kForAge);
  if (below(chance(row, column, kForShark), 100) < r.sharks_percent)
    return {.what = kind::shark, .age = std::uint8_t(below(age, r.shark_breed))};
  const std::uint64_t shoal = chance(row / r.shoal, column / r.shoal, kForShoal);
  if (below(shoal, 100 - r.sharks_percent) < r.fish_percent)
    return {.what = kind::fish, .age = std::uint8_t(below(age, r.fish_breed))};
  return {};
}

strip::strip(const rules& r, std::size_t first, std::size_t rows)
    : r_(r),
      first_(first),
      rows_(rows),
      cells_(rows_with_halo() * r.width),
      wishes_(cells_.size()),
      guests_(cells_.size()) {}

tally strip::move(kind mover, std::uint64_t half, cell* into) {
  mover_ = mover;
  half_ = half + 1;
  const std::size_t w = r_.width, end = cells_.size();
  for (std::size_t at = w; at < end - w; ++at) wishes_[at] = wish_at(at);
  for (std::size_t at = 2 * w; at < end - 2 * w; ++at) guests_[at] = guest_at(at);
  tally t;
  for (std::size_t at = kReach * w; at < end - kReach * w; ++at) *into++ = next_at(at, t);
  return t;
}

std::size_t strip::beside(std::size_t at, direction d) const {
  const std::size_t w = r_.width, column = at % w;
  switch (d) {
    case 0:
      return at - w;
    case 1:
      return column + 1 == w ? at + 1 - w : at + 1;
    case 2:
      return at + w;
    default:
      return column == 0 ? at + w - 1 : at - 1;
  }
}

std::uint64_t strip::chance(std::size_t at, unsigned purpose) const {
  const std::size_t place = row_of(at / r_.width) * r_.width + at % r_.width;
  return hash_of(r_.seed, half_, place * kPurposes + purpose);
}

// One of the directions of the mask; kNone if there is none.
strip::direction strip::pick(unsigned mask, std::size_t at, unsigned purpose) const {
  if (mask == 0) return kNone;
  const unsigned choices = unsigned(std::popcount(mask));
  for (auto skip = below(chance(at, purpose), choices); skip != 0; --skip) mask &= mask - 1;
  return direction(std::countr_zero(mask));
}

strip::direction strip::wish_at(std::size_t at) const {
  if (cells_[at].what != mover_) return kNone;
  unsigned water = 0, fish = 0;
  for (direction d = 0; d < kDirections; ++d) {
    const kind there = cells_[beside(at, d)].what;
    water |= unsigned(there == kind::water) << d;
    fish |= unsigned(there == kind::fish) << d;
  }
  return pick(mover_ == kind::shark && fish != 0 ? fish : water, at, kForWish);
}

strip::direction strip::guest_at(std::size_t at) const {
  unsigned guests = 0;
  for (direction d = 0; d < kDirections; ++d)
    guests |= unsigned(wishes_[beside(at, d)] == (d ^ 2)) << d;
  return pick(guests, at, kForGuest);
}

cell strip::next_at(std::size_t at, tally& t) const {
  const cell& here = cells_[at];
  if (const direction from = guests_[at]; from != kNone) {
    const bool eats = here.what == kind::fish;
    t.fish_eaten += eats;
    return arrived(cells_[beside(at, from)], eats, t);
  }
  if (here.what != mover_) return here;
  if (const direction to = wishes_[at]; to != kNone) {
    const std::size_t there = beside(at, to);
    if (guests_[there] == (to ^ 2)) return left_behind(here, cells_[there].what == kind::fish, t);
  }
  if (!survives(here, false)) {
    ++t.sharks_starved;
    return {};
  }
  cell stayed = here;
  stayed.age = std::uint8_t(std::min<unsigned>(here.age + 1u, breeding_age()));
  if (mover_ == kind::shark) ++stayed.hunger;
  return stayed;
}

cell strip::arrived(const cell& c, bool ate, tally& t) const {
  if (!survives(c, ate)) {
    ++t.sharks_starved;
    return {};
  }
  cell now = c;
  now.age = c.age + 1u >= breeding_age() ? 0 : std::uint8_t(c.age + 1);
  if (mover_ == kind::shark) now.hunger = ate ? 0 : std::uint8_t(c.hunger + 1);
  return now;
}

cell strip::left_behind(const cell& c, bool ate, tally& t) const {
  if (!survives(c, ate) || c.age + 1u < breeding_age()) return {};
  ++(mover_ == kind::shark ? t.sharks_born : t.fish_born);
  return {.what = mover_};
}

bool strip::survives(const cell& c, bool ate) const {
  return mover_ == kind::fish || ate || c.hunger + 1u < r_.starve;
}
unsigned strip::breeding_age() const {
  return mover_ == kind::shark ? r_.shark_breed : r_.fish_breed;
}

}  // namespace wator
