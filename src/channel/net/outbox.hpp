// SPDX-License-Identifier: Apache-2.0
// Frames on their way to a stream. Short ones are gathered in a buffer, so that what was collected
// together travels in one packet; a long run of bytes is sent from where it stands and ends the
// gathering until it is gone. (Messages join the packet that the wire is not ready for yet.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "channel/net/frame.hpp"
#include "channel/net/stream.hpp"
#include "channel/net/tsan_annotations.hpp"

namespace ramjet::channel {

class outbox {
 public:
  static constexpr std::size_t kBytes = 64 * 1024;
  static constexpr std::size_t kLong = 4096;  // from here on bytes are sent in place

  outbox() : buffer_(std::make_unique_for_overwrite<std::byte[]>(kBytes)) {}

  bool has_long() const noexcept { return direct_.count != 0; }
  bool empty() const noexcept { return begin_ == end_ && direct_.count == 0; }
  std::size_t gathered() const noexcept { return end_ - begin_; }
  std::size_t left() const noexcept { return gathered() + direct_.count; }
  // Room for more gathered bytes; none while a long run waits.
  std::size_t room() const noexcept { return direct_.count != 0 ? 0 : kBytes - end_; }

  // The caller has seen that there is room.
  template <class T>
  void put(const T& value) noexcept {
    put(&value, sizeof value);
  }
  void put(const void* bytes, std::size_t count) noexcept {
    if (count == 0) return;  // then there may be no bytes
    std::memcpy(buffer_.get() + end_, bytes, count);
    end_ += count;
  }
  // Bytes that stay where they are until they are sent; short ones are copied. Room for kLong.
  void put_region(const std::byte* bytes, std::size_t count) noexcept {
    if (count < kLong) return put(bytes, count);
    put_direct(bytes, count);
  }
  void put_direct(const std::byte* bytes, std::size_t count) noexcept { direct_ = {bytes, count}; }

  // Bytes that need not stay: of a long run, the stream is offered all, and what it does not take
  // is copied. If it is broken, the next flush says so. Room for kLong.
  void put_now(const piece& bytes, stream& to) {
    put_region(bytes.bytes, bytes.count);
    if (direct_.count == 0) return;
    flush(to);
    kept_.assign(direct_.bytes, direct_.bytes + direct_.count);
    direct_.bytes = kept_.data();
  }

  // Hands over what the stream takes; false if the stream is broken.
  bool flush(stream& to) {
    while (!empty()) {
      const std::ptrdiff_t sent = to.send({buffer_.get() + begin_, end_ - begin_}, direct_);
      if (sent < 0) return false;
      if (sent == 0) return true;
      note_sent();
      drop(std::size_t(sent));
    }
    return true;
  }

 private:
  void drop(std::size_t sent) noexcept {
    const std::size_t gathered = end_ - begin_ < sent ? end_ - begin_ : sent;
    begin_ += gathered;
    direct_.bytes += sent - gathered;
    direct_.count -= sent - gathered;
    if (begin_ == end_) begin_ = end_ = 0;
  }

  std::unique_ptr<std::byte[]> buffer_;
  std::size_t begin_ = 0, end_ = 0;
  piece direct_{nullptr, 0};
  std::vector<std::byte> kept_;
};

}  // namespace ramjet::channel
