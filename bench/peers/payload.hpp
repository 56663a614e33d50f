// SPDX-License-Identifier: Apache-2.0
// Payloads that can be checked: every word depends on its place, and the first and last words on
// the message, so a stale, short, shifted or foreign message is seen by whoever receives it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "measure.hpp"

namespace peers {

inline constexpr size_t kEchoBytes = 1024;
inline constexpr size_t kBlockBytes = 65536;
inline constexpr size_t kBlockWords = kBlockBytes / sizeof(uint64_t);
inline constexpr int kWindow = 64;
// As many 64 KiB messages may be under way; more than covers a round trip, and stays in the cache.
inline constexpr int kBlocksInFlight = 8;

inline uint64_t pattern_word(size_t index) { return (index + 1) * 0x9e3779b97f4a7c15ULL; }

inline void fill_pattern(uint64_t* words, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(uint64_t); ++i) {
    words[i] = pattern_word(i);
  }
}

inline void stamp(uint64_t* words, size_t bytes, uint64_t message) {
  words[0] = message;
  words[bytes / sizeof(uint64_t) - 1] = ~message;
}

inline void check_stamp(const uint64_t* words, size_t bytes, uint64_t message) {
  PEERS_CHECK(words[0] == message);
  PEERS_CHECK(words[bytes / sizeof(uint64_t) - 1] == ~message);
}

// Every word: for the messages before the clock starts.
inline void check_whole(const uint64_t* words, size_t bytes, uint64_t message) {
  check_stamp(words, bytes, message);
  for (size_t i = 1; i + 1 < bytes / sizeof(uint64_t); ++i) {
    PEERS_CHECK(words[i] == pattern_word(i));
  }
}

inline uint64_t word_sum(const uint64_t* words, size_t bytes) {
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes / sizeof(uint64_t); ++i) {
    sum += words[i];
  }
  return sum;
}

// What a large message carries. `same`: a buffer in which only the stamp changes, of which the
// receiver looks at the stamp alone (what bandwidth benchmarks usually do). `fresh`: the sender
// writes every word anew and the receiver reads every word, so that no copy can live off what is in
// a cache.
enum class content { same, fresh };

inline void write_fresh(uint64_t* words, size_t bytes, uint64_t message) {
  const uint64_t count = bytes / sizeof(uint64_t);
  for (uint64_t i = 0; i < count; ++i) {
    words[i] = message * count + i;
  }
}

inline void prepare_block(content kind, uint64_t* words, size_t bytes, uint64_t message) {
  if (kind == content::fresh) {
    write_fresh(words, bytes, message);
  } else {
    stamp(words, bytes, message);
  }
}

// Takes the blocks number 0, 1, 2, ... of a stream and checks them. Reading a whole block of `same`
// costs as much as many deliveries, so that is done for the first block after set-up only, which
// belongs to the warm-up: `whole_bytes` is the size of the block that was last read whole.
class block_checker {
 public:
  block_checker(content kind, size_t bytes, size_t& whole_bytes)
      : kind_(kind), bytes_(bytes), whole_bytes_(&whole_bytes) {}

  void take(const uint64_t* words) {
    if (kind_ == content::fresh) {
      const uint64_t count = bytes_ / sizeof(uint64_t);
      const uint64_t first = taken_ * count;
      PEERS_CHECK(words[0] == first);
      PEERS_CHECK(word_sum(words, bytes_) == count * first + count * (count - 1) / 2);
    } else if (*whole_bytes_ != bytes_) {
      check_whole(words, bytes_, taken_);
      *whole_bytes_ = bytes_;
    } else {
      check_stamp(words, bytes_, taken_);
    }
    ++taken_;
  }

  uint64_t taken() const { return taken_; }
  size_t bytes() const { return bytes_; }

 private:
  content kind_;
  size_t bytes_;
  size_t* whole_bytes_;
  uint64_t taken_ = 0;
};

}  // namespace peers
