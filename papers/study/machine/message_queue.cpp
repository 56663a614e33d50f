// SPDX-License-Identifier: Apache-2.0
#include "papers/study/machine/message_queue.hpp"

#include <algorithm>

namespace study {

message& message_queue::push(message m) {
  const std::uint32_t length = m.word_count * kWordBytes;
  if (tail_ + length > bytes_) {
    used_ += bytes_ - tail_;
    tail_ = 0;
  }
  m.address = base_ + tail_;
  tail_ += length;
  used_ += length;
  used_max_ = std::max(used_max_, used_);
  if (used_ > bytes_)
    throw queue_overflow("a queue of " + std::to_string(bytes_) +
                         " bytes cannot hold the program's messages");
  if (first_ == messages_.size()) {
    messages_.clear();
    first_ = 0;
  } else if (first_ > 4096 && first_ > messages_.size() / 2) {
    messages_.erase(messages_.begin(), messages_.begin() + std::ptrdiff_t(first_));
    first_ = 0;
  }
  messages_.push_back(m);
  return messages_.back();
}

// Messages are handled in order, so a skipped end of the ring is free when the next one is.
void message_queue::release(const message& m) {
  const std::uint32_t at = m.address - base_;
  if (at < head_) used_ -= bytes_ - head_;
  used_ -= m.word_count * kWordBytes;
  head_ = at + m.word_count * kWordBytes;
}

}  // namespace study
