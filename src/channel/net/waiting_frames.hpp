// SPDX-License-Identifier: Apache-2.0
// Frames that found no room in the outbox, in order. Accesses also wait until the answers to come
// leave room in the window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <vector>

#include "channel/net/frame.hpp"
#include "channel/net/outbox.hpp"

namespace ramjet::channel {

// Bytes of answers that are to come.
class access_window {
 public:
  bool allows(std::size_t answer) const noexcept {
    return awaited_ == 0 || awaited_ + answer <= kAccessWindow;
  }
  void add(std::size_t answer) noexcept { awaited_ += answer; }
  // False if less than that is to come.
  bool take(std::size_t answer) noexcept {
    if (answer > awaited_) return false;
    awaited_ -= answer;
    return true;
  }
  // Whether that much is to come, or more.
  bool awaits(std::size_t answers) const noexcept { return answers <= awaited_; }
  bool empty() const noexcept { return awaited_ == 0; }

 private:
  std::size_t awaited_ = 0;
};

class waiting_frames {
 public:
  bool empty() const noexcept { return frames_.empty(); }
  std::size_t bytes() const noexcept { return bytes_; }
  // Nobody sends them any more.
  void clear() noexcept {
    frames_.clear();
    bytes_ = 0;
    sending_ = false;
  }

  // Copies the pieces, one frame or several that belong together; `answer` bytes answer them.
  void push(std::initializer_list<piece> pieces, std::size_t answer) {
    frame& f = frames_.emplace_back();
    f.answer = answer;
    std::size_t count = 0;
    for (const piece& p : pieces) count += p.count;
    f.bytes.reserve(count);
    for (const piece& p : pieces) f.bytes.insert(f.bytes.end(), p.bytes, p.bytes + p.count);
    bytes_ += count;
  }

  // Moves what there is room for. Long ones are sent from where they stand, one at a time, and stay
  // until they are gone.
  void move_to(outbox& out, access_window& window) {
    if (sending_ && out.has_long()) return;
    if (sending_) pop();
    sending_ = false;
    while (!frames_.empty() && !sending_) {
      const frame& f = frames_.front();
      const std::size_t n = f.bytes.size();
      if (f.answer != 0 && !window.allows(f.answer)) return;
      if (out.room() < std::min(n, outbox::kLong)) return;
      window.add(f.answer);
      sending_ = n >= outbox::kLong;
      if (sending_) {
        out.put_direct(f.bytes.data(), n);
      } else {
        out.put(f.bytes.data(), n);
        pop();
      }
    }
  }

 private:
  struct frame {
    std::vector<std::byte> bytes;
    std::size_t answer = 0;
  };
  void pop() {
    bytes_ -= frames_.front().bytes.size();
    frames_.pop_front();
  }

  std::deque<frame> frames_;
  std::size_t bytes_ = 0;
  bool sending_ = false;  // the first one
};

}  // namespace ramjet::channel
