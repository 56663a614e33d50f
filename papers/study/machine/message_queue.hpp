// SPDX-License-Identifier: Apache-2.0
// A queue of messages in memory, as the network interface fills it: a ring of words.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "languages/tam/tl0/run/values.hpp"
#include "papers/study/machine/target.hpp"

namespace study {

struct message {
  // Inlets are the program's, the others are handlers of the system.
  enum class handler : std::uint8_t { inlet, fetch, store, take, put, length };
  handler to = handler::inlet;
  std::uint32_t inlet = 0;       // of the program
  std::uint32_t activation = 0;  // by number
  std::uint32_t sent_by = 0;     // an instruction
  std::uint32_t word_count = 0;  // in the queue: header and all
  std::uint32_t address = 0;
  std::array<tl0::word, 4> words = {};
};

// The program needs a larger queue.
class queue_overflow : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class message_queue {
 public:
  message_queue(std::uint32_t base, std::uint32_t bytes) : base_(base), bytes_(bytes) {}

  bool is_empty() const { return first_ == messages_.size(); }
  // Gives the message its place. A message does not wrap: what is left of the ring is skipped.
  message& push(message m);
  // The place is free again once the message has been handled: release() it then.
  message pop() { return messages_[first_++]; }
  void release(const message& m);
  std::uint32_t used_max() const { return used_max_; }

 private:
  std::uint32_t base_, bytes_;
  std::uint32_t head_ = 0, tail_ = 0, used_ = 0, used_max_ = 0;  // bytes
  std::vector<message> messages_;  // from first_ on those that wait
  std::size_t first_ = 0;
};

}  // namespace study
