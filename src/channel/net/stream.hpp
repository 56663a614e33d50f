// SPDX-License-Identifier: Apache-2.0
// An ordered, reliable stream of bytes to one port elsewhere: what a network offers to a
// net_channel. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "channel/access.hpp"

namespace ramjet::channel {

class stream {
 public:
  static constexpr std::ptrdiff_t kBroken = -1;

  stream() = default;
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  virtual ~stream() = default;

  // Takes as much of the two pieces as there is room for; how many bytes. Never waits.
  virtual std::ptrdiff_t send(const piece& first, const piece& second) = 0;
  // Brings up to `most` bytes; 0: there are none yet.
  virtual std::ptrdiff_t receive(std::byte* into, std::size_t most) = 0;
  // Copies past what is in the stream, between this memory and the peer's segment: to, or from, an
  // offset from the first of all segments. The bytes here stay where they are until copied(). One
  // copy at a time, begun when all that was sent has been received; never: this stream cannot.
  enum class begun : std::uint8_t { never, not_yet, yes };
  virtual begun write(std::uint64_t at, const piece& bytes) {
    static_cast<void>(at), static_cast<void>(bytes);
    return begun::never;
  }
  virtual begun fetch(std::uint64_t at, std::byte* into, std::size_t bytes) {
    static_cast<void>(at), static_cast<void>(into), static_cast<void>(bytes);
    return begun::never;
  }
  virtual bool fetches() const { return false; }
  // Whether the bytes are there, or the stream is broken.
  virtual bool copied() { return true; }
  // Nothing more will be sent; what was sent still arrives. The stream is of no use afterwards.
  virtual void finish() = 0;
};

}  // namespace ramjet::channel
