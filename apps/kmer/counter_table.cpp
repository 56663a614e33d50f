// SPDX-License-Identifier: Apache-2.0
// The rare ways through a counter_table: growth, counts that do not fit, and the summing up.
#include "counter_table.hpp"

#include <algorithm>

#include "spectrum.hpp"

namespace kmer {
namespace {

constexpr unsigned kSlotBitsMin = 14;       // leaves a count 6 bits at the greatest k
constexpr unsigned kSlotBitsFirstMax = 24;  // more only when the need has been shown

// Three quarters full: beyond, probing gets long.
constexpr std::uint64_t comfortable(unsigned slot_bits) {
  return (std::uint64_t{1} << slot_bits) / 4 * 3;
}

unsigned first_slot_bits(unsigned hash_bits, std::uint64_t expected) {
  unsigned bits = kSlotBitsMin;
  while (bits < kSlotBitsFirstMax && comfortable(bits) < expected) ++bits;
  return std::min(bits, hash_bits);
}

}  // namespace

counter_table::shape::shape(unsigned hash_bits, unsigned slots)
    : slot_bits(slots),
      remainder_bits(hash_bits - slots),
      count_bits(64 - kDisplacementBits - remainder_bits),
      mark_shift(remainder_bits == 0 ? 0 : 64 - remainder_bits),
      remainder_mask((std::uint64_t{1} << remainder_bits) - 1),
      count_mask((std::uint64_t{1} << count_bits) - 1) {}

// With a slot for every hash there are no collisions, and nothing to grow for.
std::uint64_t counter_table::shape::used_max() const {
  return remainder_bits == 0 ? std::uint64_t{1} << slot_bits : comfortable(slot_bits);
}

std::uint64_t counter_table::shape::hash_at(std::uint64_t index, std::uint64_t word) const {
  const std::uint64_t mark = word >> count_bits;
  const std::uint64_t home = index - (mark & kDisplacementMax);
  return home << remainder_bits | mark >> kDisplacementBits;
}

counter_table::counter_table(unsigned k, std::uint64_t expected)
    : hash_bits_(2 * k),
      hash_mask_((std::uint64_t{1} << (2 * k)) - 1),
      shape_(hash_bits_, first_slot_bits(hash_bits_, expected)),
      words_(shape_.words()),
      used_max_(shape_.used_max()) {
  waiting_.fill(kNothing);
}

void counter_table::flush() {
  for (std::size_t i = 0; i < kWaiting; ++i) {
    const std::uint64_t oldest = std::exchange(waiting_[next_], kNothing);
    next_ = (next_ + 1) % kWaiting;
    if (oldest != kNothing) count(oldest);
  }
}

void counter_table::grow_slow() {
  const shape old_shape = shape_;
  const word_memory old_words = std::move(words_);
  unsigned slot_bits = old_shape.slot_bits;
  do {
    shape_ = shape(hash_bits_, ++slot_bits);
    words_ = word_memory(shape_.words());
  } while (!refill_from(old_shape, old_words));
  used_max_ = shape_.used_max();
}

// Moves all counts to words_; false if one would come too far from its home. A k-mer's home is at
// the same place of a table of any size, relatively, so both are walked from end to end.
bool counter_table::refill_from(const shape& old_shape, const word_memory& old_words) {
  for (std::uint64_t i = 0; i < old_shape.words(); ++i) {
    if (old_words[i] == 0) continue;
    const std::uint64_t hash = old_shape.hash_at(i, old_words[i]);
    const std::uint64_t home = hash >> shape_.remainder_bits;
    std::uint64_t at = home;
    while (words_[at] != 0 && at < home + kDisplacementMax) ++at;
    if (words_[at] != 0) return false;
    words_[at] = (shape_.mark_of(hash) + (at - home) * shape_.step()) |
                 (old_words[i] & old_shape.count_mask);
  }
  return true;
}

void counter_table::count_after_growth_slow(std::uint64_t hash) {
  grow_slow();
  count(hash);
}

void counter_table::set_aside_slow(std::uint64_t& word, std::uint64_t hash) {
  set_aside_[hash] += shape_.count_mask;
  word = (word & ~shape_.count_mask) | 1;
}

std::uint64_t counter_table::count_in_words(std::uint64_t hash) const {
  const std::uint64_t home = hash >> shape_.remainder_bits;
  std::uint64_t mark = shape_.mark_of(hash);
  for (std::uint64_t at = home; at <= home + kDisplacementMax; ++at, mark += shape_.step()) {
    const std::uint64_t word = words_[at];
    if (word == 0) return 0;
    if ((word ^ mark) >> shape_.count_bits == 0) return word & shape_.count_mask;
  }
  return 0;
}

std::uint64_t counter_table::count_of(std::uint64_t kmer) const {
  const std::uint64_t hash = hash_of(kmer);
  const auto aside = set_aside_.find(hash);
  return count_in_words(hash) + (aside == set_aside_.end() ? 0 : aside->second);
}

void counter_table::add_to(spectrum& s) const {
  // Small counts, of which there are most, are summed up here, in turns: two neighbours with the
  // same count need not wait for each other's sum. Count 0 is an empty word.
  constexpr std::uint64_t kSmall = 256;
  std::array<std::array<std::uint64_t, kSmall>, 2> small{};
  for (std::uint64_t i = 0; i < shape_.words(); ++i) {
    const std::uint64_t count = words_[i] & shape_.count_mask;
    if (count < kSmall) [[likely]] {
      ++small[i % 2][count];
    } else {
      s.add(count);
    }
  }
  for (std::uint64_t count = 1; count < kSmall; ++count) {
    s.add(count, small[0][count] + small[1][count]);
  }
  for (const auto& [hash, aside] : set_aside_) {
    const std::uint64_t in_word = count_in_words(hash);
    s.replace(in_word, in_word + aside);
  }
}

}  // namespace kmer
