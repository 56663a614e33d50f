// SPDX-License-Identifier: Apache-2.0
// Carries a lane over into another one of the same shape: records and their payloads forwards,
// answers and credit backwards, when its owner calls. Both lanes use the same positions, so the
// lanes' own flow control bounds both. One thread.
//
//   source (the sender writes here) --forward--> target (the receiver reads here)
//   source (answers, credit)        <--backward-- target
//
//   moved >= returned, and moved - returned <= ring_words
#pragma once

#include <cstdint>

#include "ramjet/detail/lane/layout.hpp"

namespace ramjet::channel {

class lane_relay {
 public:
  lane_relay() = default;
  lane_relay(const detail::lane& source, const detail::lane& target, std::uint64_t ring_words,
             std::uint64_t payload_bytes);

  // Carries up to `most` records over; returns how many.
  unsigned forward(unsigned most);
  // Carries up to `most` answers back, then the credit that they allow; returns how many answers.
  unsigned backward(unsigned most);

  detail::lane& target() { return target_; }

  // Whether the source holds no record that has not been moved.
  bool all_forward() const;
  // Whether the target holds no answer that has not been carried back.
  bool all_back() const;

 private:
  detail::word* at(const detail::lane& l, std::uint64_t position) const {
    return l.records + (position & (ring_words_ - 1));
  }
  bool is_new(std::uint64_t header) const;
  void copy_record(std::uint64_t header);
  void copy_answer(std::uint64_t position, std::uint64_t header);
  void copy_region(const detail::word* record, std::byte* to, const std::byte* from) const;

  detail::lane source_, target_;
  std::uint64_t ring_words_ = 0, payload_bytes_ = 0;
  std::uint64_t moved_ = 0;  // records before it are in the target
  std::uint64_t returned_ = 0;  // records before it are answered or consumed, and the source knows
};

}  // namespace ramjet::channel
