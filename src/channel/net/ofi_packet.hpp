// SPDX-License-Identifier: Apache-2.0
// What a packet over libfabric begins with, and the window that bounds how many are on their way.
//
//   +----------+-------+------+----------+-------+-------+------------------+
//   | checksum | token | from | sequence | taken | bytes | bytes of payload |
//   | 4        | 12    | 4    | 4        | 4     | 4     |                  |
//   +----------+-------+------+----------+-------+-------+------------------+
//
// The checksum is the CRC-32C of all that follows it. The token proves that the sender knows the
// job's key; it is of one sender and one receiver. A packet without payload is a mere
// acknowledgement and has no sequence number of its own.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/crc32c.hpp"

namespace ramjet::channel {

using ofi_token = std::array<std::uint8_t, 12>;

struct ofi_head {
  std::uint32_t checksum;
  ofi_token token;
  std::uint32_t from;      // port
  std::uint32_t sequence;  // how many packets with payload went before, modulo 2^32
  std::uint32_t taken;     // packets of the other direction that the sender has done with
  std::uint32_t bytes;     // that follow
};
static_assert(sizeof(ofi_head) == 32);

// Of a packet, whose first bytes are its checksum.
inline std::uint32_t checksum_of_packet(const std::byte* packet, std::size_t bytes) noexcept {
  constexpr std::size_t kOwn = sizeof(ofi_head::checksum);
  return base::crc32c(0, packet + kOwn, bytes - kOwn);
}

// Whether the two differ in few bits: one is the other, altered. Who does not know the job's key
// hits such a token by a chance of less than 1 in 2^36.
inline bool is_nearly(const ofi_token& a, const ofi_token& b) noexcept {
  constexpr int kBitsMax = 16;
  int bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i) bits += std::popcount(unsigned(a[i] ^ b[i]));
  return bits <= kBitsMax;
}

// Both directions between this port and a peer, at this end. All counts are modulo 2^32.
//   sent - acknowledged <= most          what this end may have on its way
//   came - announced     <= most          what the peer may; taken <= came
class packet_window {
 public:
  explicit packet_window(std::uint32_t most) : most_(most) {}

  bool may_send() const noexcept { return sent_ - acknowledged_ < most_; }
  std::uint32_t next() const noexcept { return sent_; }
  void send() noexcept { ++sent_; }
  bool all_acknowledged() const noexcept { return sent_ == acknowledged_; }
  // False if the peer cannot have taken that many. A number below an earlier one was overtaken on
  // the way.
  bool acknowledge(std::uint32_t taken) noexcept {
    constexpr std::uint32_t kHalf = std::uint32_t{1} << 31;
    if (taken - acknowledged_ <= sent_ - acknowledged_) {
      acknowledged_ = taken;
      return true;
    }
    return acknowledged_ - taken < kHalf;
  }

  // Whether the peer may have sent this one, and it was not in its turn yet.
  bool may_come(std::uint32_t sequence) const noexcept {
    return sequence - came_ < most_ - (came_ - announced_);
  }
  // The next one in turn, and that it is there.
  std::uint32_t turn() const noexcept { return came_; }
  void come() noexcept { ++came_; }
  // One that came is done with.
  void take() noexcept { ++taken_; }
  // Whether enough is taken and not announced that the peer may soon have to wait.
  bool should_announce() const noexcept { return taken_ - announced_ >= (most_ + 1) / 2; }
  bool all_announced() const noexcept { return taken_ == announced_; }
  // What a packet that goes now says; announced() once it has gone.
  std::uint32_t taken() const noexcept { return taken_; }
  void announced() noexcept { announced_ = taken_; }

 private:
  std::uint32_t most_;
  std::uint32_t sent_ = 0, acknowledged_ = 0;
  std::uint32_t came_ = 0, taken_ = 0, announced_ = 0;
};

}  // namespace ramjet::channel
