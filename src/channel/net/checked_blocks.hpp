// SPDX-License-Identifier: Apache-2.0
// What passes over a TCP connection of a channel: blocks, each with a checksum over all that was
// sent by the connection so far, so that bytes that were altered, lost or repeated on the way are
// noticed before anybody uses them.
//
//   +-------+-------------+----------+-----------------+
//   | bytes | of_the_head | checksum | bytes of stream |
//   | 4     | 4           | 4        |                 |
//   +-------+-------------+----------+-----------------+
//
//   of_the_head  CRC-32C of the checksum of the block before, and of `bytes`: a reader that waits
//                for the rest of a block waits for what was sent
//   checksum     CRC-32C of of_the_head, and of the bytes of the stream
//
// Both sides keep the block that is on its way in a buffer of their own: the memory that it comes
// from or goes to may belong to the program, whose threads and near ranks may write there at any
// time. One thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "base/crc32c.hpp"
#include "channel/access.hpp"

namespace ramjet::channel {

struct block_head {
  std::uint32_t bytes;
  std::uint32_t of_the_head;
  std::uint32_t checksum;
};
static_assert(sizeof(block_head) == 12);

inline constexpr std::size_t kWholeBlockMax = 64 * 1024;
inline constexpr std::size_t kBlockBytesMax = kWholeBlockMax - sizeof(block_head);

class block_writer {
 public:
  bool empty() const noexcept { return begin_ == end_; }
  // Makes the next block of as much as fits one. The one before is gone; the pieces hold something.
  void fill(const piece& first, const piece& second) {
    const std::size_t of_first = std::min(first.count, kBlockBytesMax);
    const std::size_t of_second = std::min(second.count, kBlockBytesMax - of_first);
    std::byte* const to = bytes_.get() + sizeof(block_head);
    end_ = sizeof(block_head) + of_first + of_second;
    block_head head{std::uint32_t(payload()), 0, 0};
    head.of_the_head = base::crc32c(sum_, &head.bytes, sizeof head.bytes);
    sum_ = base::copy_with_crc32c(head.of_the_head, to, first.bytes, of_first);
    sum_ = base::copy_with_crc32c(sum_, to + of_first, second.bytes, of_second);
    head.checksum = sum_;
    std::memcpy(bytes_.get(), &head, sizeof head);
    begin_ = 0;
  }
  // What is left of the block.
  piece rest() const noexcept { return {bytes_.get() + begin_, end_ - begin_}; }
  void note_sent(std::size_t count) noexcept { begin_ += count; }
  // Bytes of the stream in the block.
  std::size_t payload() const noexcept { return end_ - sizeof(block_head); }

 private:
  std::unique_ptr<std::byte[]> bytes_ = std::make_unique_for_overwrite<std::byte[]>(kWholeBlockMax);
  std::size_t begin_ = 0, end_ = 0;
  std::uint32_t sum_ = 0;  // of all blocks so far
};

class block_reader {
 public:
  // Where to receive to, and how much: never nothing once take() has brought less than was asked.
  std::byte* room(std::size_t& most) noexcept {
    if (begin_ != 0) std::memmove(bytes_.get(), bytes_.get() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
    most = kWholeBlockMax - end_;
    return bytes_.get() + end_;
  }
  void note_received(std::size_t count) noexcept { end_ += count; }
  // Bytes of whole blocks whose checksum is right; fewer than `most`: there are no more. A block of
  // which all is asked for is copied while it is checked: if it was altered, wrong bytes may stand
  // in `into` behind those that are taken.
  std::size_t take(std::byte* into, std::size_t most) noexcept {
    std::size_t total = 0;
    while (total != most) {
      if (checked_ == 0) {
        const std::size_t bytes = next_block();
        if (bytes == 0) break;
        const bool whole = bytes <= most - total;
        if (!check_block(whole ? into + total : nullptr)) break;
        if (whole) {
          begin_ += std::exchange(checked_, 0);
          total += bytes;
          continue;
        }
      }
      const std::size_t n = std::min(most - total, checked_);
      std::memcpy(into + total, bytes_.get() + begin_, n);
      begin_ += n;
      checked_ -= n;
      total += n;
    }
    return total;
  }
  // A block came that was not sent so. Nothing is taken any more.
  bool is_altered() const noexcept { return altered_; }

 private:
  // How long the next block is; 0 if it is not whole yet, or none that was sent.
  std::size_t next_block() noexcept {
    if (altered_ || end_ - begin_ < sizeof head_) return 0;
    std::memcpy(&head_, bytes_.get() + begin_, sizeof head_);
    altered_ = base::crc32c(sum_, &head_.bytes, sizeof head_.bytes) != head_.of_the_head ||
               head_.bytes == 0 || head_.bytes > kBlockBytesMax;
    return altered_ || end_ - begin_ < sizeof head_ + head_.bytes ? 0 : head_.bytes;
  }
  // Whether its bytes are right; copies them unless `copy` is null.
  bool check_block(std::byte* copy) noexcept {
    begin_ += sizeof head_;
    const std::byte* const at = bytes_.get() + begin_;
    sum_ = copy != nullptr ? base::copy_with_crc32c(head_.of_the_head, copy, at, head_.bytes)
                           : base::crc32c(head_.of_the_head, at, head_.bytes);
    altered_ = sum_ != head_.checksum;
    checked_ = altered_ ? 0 : head_.bytes;
    return !altered_;
  }

  std::unique_ptr<std::byte[]> bytes_ = std::make_unique_for_overwrite<std::byte[]>(kWholeBlockMax);
  std::size_t begin_ = 0, end_ = 0;
  std::size_t checked_ = 0;  // from begin_ on, of a block whose checksum is right
  block_head head_{};  // of the next block, once it has come
  std::uint32_t sum_ = 0;
  bool altered_ = false;
};

}  // namespace ramjet::channel
