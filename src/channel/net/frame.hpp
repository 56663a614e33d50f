// SPDX-License-Identifier: Apache-2.0
// What passes over a stream between two ports: frames, one after the other, each a head and what
// belongs to it. Lanes are mirrored by them: records, answers and credit travel as they stand in
// the rings, at the same positions on both sides, so that the lanes' flow control is the network's.
//
//   frame      head.words, head.position       what follows
//   records    words of records, where         the words; if the last one is extended, its region
//   answers    words of answered records       the words; if the last one is extended, its region
//   credit     -, -                            the credit word (layout.hpp: freed)
//   consumed   -, -                            reply payload bytes done with
//   deposit    -, -                            {offset from the first segment, bytes}; the bytes
//   access     bytes, its number               the request of an access; extended: what it is
//   answer     bytes, its number               a word; the bytes; extended: what it is
//   bye        -, -                            nothing: no frame comes after it
//
// A receiver checks every number: a peer that proved the job's key may still be broken.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ramjet::channel {

enum class frame_kind : std::uint8_t {
  records = 1,
  answers = 2,
  credit = 3,
  consumed = 4,
  deposit = 5,
  bye = 6,
  access = 7,
  answer = 8,
};

struct frame_head {
  std::uint8_t kind;
  std::uint8_t extended;  // 1: the last record has a region; of accesses: what they are
  std::uint16_t words;  // of accesses: bytes
  std::uint32_t position;  // modulo 2^32; of accesses: their number
};
static_assert(sizeof(frame_head) == 8);

inline constexpr frame_head kBye{std::uint8_t(frame_kind::bye), 0, 0, 0};

// What follows a head in a receive buffer, where words may stand at any address.
class frame_body {
 public:
  explicit frame_body(const std::byte* bytes) noexcept : bytes_(bytes) {}
  std::uint64_t word(std::size_t index) const noexcept {
    std::uint64_t value;
    std::memcpy(&value, at(index), sizeof value);
    return value;
  }
  const std::byte* at(std::size_t index) const noexcept {
    return bytes_ + index * sizeof(std::uint64_t);
  }

 private:
  const std::byte* bytes_;
};

struct deposit_head {
  std::uint64_t offset;
  std::uint64_t bytes;
};

// Bytes of answers that accesses begun and not answered may have together; a single one may have
// more.
inline constexpr std::size_t kAccessWindow = 512 * 1024;

// The most words that a frame carries; a receive buffer holds more than that.
inline constexpr std::size_t kFrameWordsMax = 1024;

}  // namespace ramjet::channel
