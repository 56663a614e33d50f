// SPDX-License-Identifier: Apache-2.0
// A super-k-mer: neighbouring k-mers of a sequence, as they are sent and kept. One byte holds their
// number minus 1; then come the bases, two bits each, four in a byte, the first one lowermost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "key.hpp"

namespace kmer {

namespace super_kmer {

inline constexpr unsigned kNumberMax = 256;
inline constexpr std::size_t kBytesMax = 1 + (kNumberMax + kLengthMax + 3) / 4;
// A writer and a reader work in whole words: this many bytes behind a record can be touched.
inline constexpr std::size_t kSlack = 8;

inline std::size_t bytes_of(unsigned k, unsigned number) { return 1 + (number + k - 1 + 3) / 4; }

// Writes one; returns its end. Up to 7 codes behind the last one are read.
inline char* write(char* to, const std::uint8_t* codes, unsigned k, unsigned number) {
  *to++ = static_cast<char>(number - 1);
  const unsigned letters = number + k - 1;
  for (unsigned i = 0; i < letters; i += 8) {
    std::uint64_t x;  // eight codes, to the sixteen lower bits
    std::memcpy(&x, codes + i, 8);
    x = (x | x >> 6) & 0x000F000F000F000F;
    x = (x | x >> 12) & 0x000000FF000000FF;
    x |= x >> 24;
    const auto packed = static_cast<std::uint16_t>(x);
    std::memcpy(to + i / 4, &packed, 2);
  }
  return to + (letters + 3) / 4;
}

// Bases of a record, one by one.
class bases {
 public:
  explicit bases(const char* at) : at_(at) {}
  std::uint64_t next() {
    if (left_ == 0) {
      std::memcpy(&word_, at_, sizeof word_);
      at_ += sizeof word_;
      left_ = 32;
    }
    const std::uint64_t code = word_ & 3;
    word_ >>= 2;
    --left_;
    return code;
  }

 private:
  const char* at_;
  std::uint64_t word_ = 0;
  unsigned left_ = 0;
};

// Hands each canonical k-mer of the records in [at, end) to take(Key). False if the last one is
// cut: nobody writes such a one.
template <class Key, class Take>
bool for_each_kmer(const char* at, const char* end, unsigned k, Take&& take) {
  while (at < end) {
    const unsigned number = static_cast<unsigned char>(*at) + 1u;
    const char* next = at + bytes_of(k, number);
    if (next > end) return false;
    bases b(at + 1);
    roller<Key> r(k);
    for (unsigned i = 1; i < k; ++i) r.add(b.next());
    for (unsigned i = 0; i < number; ++i) {
      r.add(b.next());
      take(r.canonical());
    }
    at = next;
  }
  return true;
}

}  // namespace super_kmer

}  // namespace kmer
