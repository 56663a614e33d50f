// SPDX-License-Identifier: Apache-2.0
// From letters to canonical k-mers, one step a letter.
//
// A k-mer is a number of 2 k bits, its first letter uppermost: A 0, C 1, G 2, T 3, so a letter's
// complement is 3 minus its code. The canonical form is the smaller of a k-mer and its reverse
// complement; for odd k the two always differ.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace kmer {

namespace letter {
inline constexpr std::uint8_t kBreak = 4;    // not a base: no k-mer contains it
inline constexpr std::uint8_t kLineEnd = 5;  // no part of the sequence

inline constexpr std::array<std::uint8_t, 256> kCodes = [] {
  std::array<std::uint8_t, 256> codes{};
  codes.fill(kBreak);
  codes['A'] = codes['a'] = 0;
  codes['C'] = codes['c'] = 1;
  codes['G'] = codes['g'] = 2;
  codes['T'] = codes['t'] = 3;
  codes['\n'] = codes['\r'] = kLineEnd;
  return codes;
}();

inline std::uint8_t code_of(char c) { return kCodes[static_cast<unsigned char>(c)]; }
}  // namespace letter

class encoder {
 public:
  explicit encoder(unsigned k)
      : k_(k), top_shift_(2 * (k - 1)), mask_((std::uint64_t{1} << (2 * k)) - 1) {}

  std::uint64_t k() const { return k_; }
  // Whether the last letters can be the beginning of a k-mer.
  bool in_sequence() const { return run_ > 0; }
  // What follows does not continue what came before.
  void restart() { run_ = 0; }

  // Takes the letters [at, end); hands each k-mer that is complete to sink(std::uint64_t).
  template <class Sink>
  void add(const char* at, const char* end, Sink&& sink) {
    std::uint64_t forward = forward_, reverse = reverse_, run = run_;
    for (; at != end; ++at) {
      const std::uint64_t code = letter::code_of(*at);
      if (code >= letter::kBreak) [[unlikely]] {
        if (code == letter::kBreak) run = 0;
        continue;
      }
      forward = ((forward << 2) | code) & mask_;
      reverse = (reverse >> 2) | ((3 - code) << top_shift_);
      if (++run >= k_) sink(std::min(forward, reverse));
    }
    forward_ = forward;
    reverse_ = reverse;
    run_ = run;
  }

 private:
  std::uint64_t k_;
  unsigned top_shift_;
  std::uint64_t mask_;
  std::uint64_t forward_ = 0;  // the last min(run_, k) letters, and older ones above them
  std::uint64_t reverse_ = 0;  // their reverse complement
  std::uint64_t run_ = 0;      // letters since the last break
};

}  // namespace kmer
