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
  static constexpr std::ptrdiff_t kAltered = -2;  // broken: what came is not what was sent

  stream() = default;
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  virtual ~stream() = default;

  // Takes as much of the two pieces as there is room for; how many bytes. Never waits. What it does
  // not take is offered again: it may have begun to send that.
  virtual std::ptrdiff_t send(const piece& first, const piece& second) = 0;
  // Whether the last send took nothing for want of room, and the network wakes the port once there
  // is some (network::wake_when_ready).
  virtual bool is_full() const { return false; }
  // Brings up to `most` bytes; 0: there are none yet.
  virtual std::ptrdiff_t receive(std::byte* into, std::size_t most) = 0;
  // Copies past what is in the stream, to or from an offset from the first of all segments, in the
  // peer's. Bytes to write stay where they are until copied(); those that are fetched are the
  // stream's, until the next. One copy at a time, begun when all that was sent has been received;
  // never: this stream cannot.
  enum class begun : std::uint8_t { never, not_yet, yes };
  virtual begun write(std::uint64_t at, const piece& bytes) {
    static_cast<void>(at), static_cast<void>(bytes);
    return begun::never;
  }
  virtual begun fetch(std::uint64_t at, std::size_t bytes) {
    static_cast<void>(at), static_cast<void>(bytes);
    return begun::never;
  }
  virtual bool fetches() const { return false; }
  virtual const std::byte* fetched() const { return nullptr; }
  // How the copy that was begun last goes; failed: the stream is broken.
  enum class copy : std::uint8_t { runs, done, failed };
  virtual copy copied() { return copy::done; }
  // Nothing more will be sent; what was sent still arrives. The stream is of no use afterwards.
  virtual void finish() = 0;
};

}  // namespace ramjet::channel
