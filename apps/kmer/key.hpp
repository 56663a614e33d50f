// SPDX-License-Identifier: Apache-2.0
// A k-mer as a number of 2 k bits, its first letter uppermost: A 0, C 1, G 2, T 3, so a letter's
// complement is 3 minus its code. The canonical form is the smaller of a k-mer and its reverse
// complement.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

namespace kmer {

inline constexpr unsigned kLengthMax = 63;

using narrow_key = std::uint64_t;                   // k <= 32
__extension__ typedef unsigned __int128 wide_key;  // k <= 64

inline constexpr unsigned kNarrowLengthMax = 32;

template <class Key>
constexpr Key mask_of(unsigned k) {
  return ~Key{0} >> (8 * sizeof(Key) - 2 * k);
}

// A number whose upper bits tell keys apart: where a table looks for them. With the factor n times
// kHashFactor it is n times the number, modulo 2^64.
inline constexpr std::uint64_t kHashFactor = 0x9E3779B97F4A7C15;
inline std::uint64_t hash_of(narrow_key key, std::uint64_t factor = kHashFactor) {
  return key * factor;
}
inline std::uint64_t hash_of(wide_key key, std::uint64_t factor = kHashFactor) {
  const auto upper = static_cast<std::uint64_t>(key >> 64);
  const std::uint64_t folded =
      static_cast<std::uint64_t>(key) ^ (upper * 0xD6E8FEB86659FD93) ^ (upper >> 29);
  return folded * factor;
}

// The canonical k-mers of letters that come one by one.
template <class Key>
class roller {
 public:
  explicit roller(unsigned k) : top_shift_(2 * (k - 1)), mask_(mask_of<Key>(k)) {}

  void add(std::uint64_t code) {
    forward_ = ((forward_ << 2) | code) & mask_;
    reverse_ = (reverse_ >> 2) | (Key{3 - code} << top_shift_);
  }
  // Of the last k letters.
  Key canonical() const { return std::min(forward_, reverse_); }

 private:
  unsigned top_shift_;
  Key mask_;
  Key forward_ = 0, reverse_ = 0;
};

// The letters of a key.
template <class Key>
void write_letters(Key key, unsigned k, char* into) {
  for (unsigned i = k; i-- > 0; key >>= 2) into[i] = "ACGT"[static_cast<unsigned>(key) & 3];
}

}  // namespace kmer
