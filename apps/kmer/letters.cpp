// SPDX-License-Identifier: Apache-2.0
#include "letters.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace kmer {
namespace {

// Codes of `count` letters; whether all of them are bases. Without a table, so that the compiler
// can take many letters in one instruction.
__attribute__((target_clones("avx2", "default"))) bool translate(const char* from,
                                                                 std::size_t count,
                                                                 std::uint8_t* to) {
  std::uint8_t other = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const auto upper = static_cast<std::uint8_t>(from[i] & 0xDF);
    const bool base = (upper == 'A') | (upper == 'C') | (upper == 'G') | (upper == 'T');
    other = static_cast<std::uint8_t>(other | !base);
    to[i] = static_cast<std::uint8_t>(((upper >> 1) ^ (upper >> 2)) & 3);
  }
  return other == 0;
}

}  // namespace

run_collector::run_collector(unsigned k, sink s)
    : k_(k), sink_(std::move(s)), codes_(kBatchLetters + kSlack) {}

void run_collector::restart() {
  if (run() >= k_) {
    lengths_.push_back(static_cast<std::uint32_t>(run()));
    begin_ = used_;
  }
  used_ = begin_;
}

void run_collector::flush() {
  restart();
  hand_over();
}

// The last k - 1 letters of the run that is being read begin the next batch, too: k-mers of both
// sides of the cut are whole.
void run_collector::hand_over() {
  const std::size_t kept = std::min<std::size_t>(run(), k_ - 1);
  if (run() >= k_) {
    lengths_.push_back(static_cast<std::uint32_t>(run()));
    begin_ = used_;
  }
  if (!lengths_.empty()) sink_({{codes_.data(), begin_}, lengths_});
  std::memmove(codes_.data(), codes_.data() + used_ - kept, kept);
  lengths_.clear();
  begin_ = 0;
  used_ = kept;
}

const char* run_collector::add(const char* at, const char* end, digits d) {
  while (at != end) {
    if (room() == 0) hand_over();
    const std::size_t count = std::min(room(), static_cast<std::size_t>(end - at));
    if (translate(at, count, codes_.data() + used_)) {
      used_ += count;
    } else if (const char* stop = add_slowly(at, at + count, d); stop != at + count) {
      return stop;
    }
    at += count;
  }
  return end;
}

const char* run_collector::add_slowly(const char* at, const char* end, digits d) {
  for (; at != end; ++at) {
    const std::uint8_t code = letter::code_of(*at);
    if (code < letter::kBreak) {
      codes_[used_++] = code;
    } else if (code == letter::kBreak) {
      restart();
    } else if (code == letter::kForeign || (code == letter::kDigit && d == digits::refused)) {
      break;
    }
  }
  return at;
}

}  // namespace kmer
