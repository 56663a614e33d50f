// SPDX-License-Identifier: Apache-2.0
// An ordered, reliable stream of bytes to one port elsewhere: what a network offers to a
// net_channel. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ramjet::channel {

// A run of bytes to send.
struct piece {
  const std::byte* bytes;
  std::size_t count;
};

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
  enum class write_begun : std::uint8_t { never, not_yet, yes };
  // Begins to copy bytes to an offset in the peer's segment, past what is in the stream. They stay
  // where they are until written(). One write at a time; never: this stream cannot.
  virtual write_begun write(std::uint64_t offset, const piece& bytes) {
    static_cast<void>(offset), static_cast<void>(bytes);
    return write_begun::never;
  }
  // Whether the bytes are there, or the stream is broken.
  virtual bool written() { return true; }
  // Nothing more will be sent; what was sent still arrives. The stream is of no use afterwards.
  virtual void finish() = 0;
};

}  // namespace ramjet::channel
