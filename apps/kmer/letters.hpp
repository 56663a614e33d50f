// SPDX-License-Identifier: Apache-2.0
// From the letters of a text to runs of bases: a base is a code from 0 to 3 in a byte, a run has
// no break in it and at least k bases. Runs are handed on in batches.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace kmer {

namespace letter {
inline constexpr std::uint8_t kBreak = 4;    // not a base: no k-mer contains it
inline constexpr std::uint8_t kBlank = 5;    // white space: no part of the sequence
inline constexpr std::uint8_t kDigit = 6;    // numbers the bases of a line
inline constexpr std::uint8_t kForeign = 7;  // never in a sequence: the file is damaged

inline constexpr std::array<std::uint8_t, 256> kCodes = [] {
  std::array<std::uint8_t, 256> codes{};
  codes.fill(kForeign);
  for (unsigned char c = '!'; c <= '~'; ++c) codes[c] = kBreak;
  for (unsigned char c = '0'; c <= '9'; ++c) codes[c] = kDigit;
  for (const unsigned char c : {' ', '\t', '\n', '\v', '\f', '\r'}) codes[c] = kBlank;
  codes['>'] = kForeign;
  codes['A'] = codes['a'] = 0;
  codes['C'] = codes['c'] = 1;
  codes['G'] = codes['g'] = 2;
  codes['T'] = codes['t'] = 3;
  return codes;
}();

inline std::uint8_t code_of(char c) { return kCodes[static_cast<unsigned char>(c)]; }
}  // namespace letter

inline bool is_blank(char c) { return letter::code_of(c) == letter::kBlank; }
inline bool is_line_end(char c) { return c == '\n' || c == '\r'; }

// What a digit in a sequence is: a part of the number of a base, or an error.
enum class digits { skipped, refused };

// Runs, one behind the other. No k-mer is in two of them.
struct run_batch {
  std::span<const std::uint8_t> codes;      // kSlack more bytes can be read behind them
  std::span<const std::uint32_t> lengths;  // of the runs; they sum up to codes.size()
};

class run_collector {
 public:
  static constexpr std::size_t kSlack = 16;
  using sink = std::function<void(const run_batch&)>;

  run_collector(unsigned k, sink s);

  unsigned k() const { return k_; }
  // Whether the last letters can be the beginning of a k-mer.
  bool in_sequence() const { return run() > 0; }
  // What follows does not continue what came before.
  void restart();
  // Takes the letters [at, end), without blanks and digits. Returns the first letter that belongs
  // to no sequence, or `end` if there is none.
  const char* add(const char* at, const char* end, digits d = digits::skipped);
  // Hands on what is complete.
  void flush();

 private:
  static constexpr std::size_t kBatchLetters = 32 * 1024;

  std::size_t run() const { return used_ - begin_; }
  std::size_t room() const { return kBatchLetters - used_; }
  const char* add_slowly(const char* at, const char* end, digits d);
  void hand_over();

  unsigned k_;
  sink sink_;
  std::vector<std::uint8_t> codes_;
  std::vector<std::uint32_t> lengths_;  // of complete runs
  std::size_t begin_ = 0, used_ = 0;  // of the run that is being read: codes_[begin_, used_)
};

}  // namespace kmer
