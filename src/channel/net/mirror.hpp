// SPDX-License-Identifier: Apache-2.0
// The two halves by which a stream mirrors a lane: lane_relay (faulty/lane_relay.hpp) with a
// network in its middle.
//
//   sender's process                                    receiver's process
//   source lane --collect()--> records, consumed -->    apply() --> target lane
//   source lane <--apply()-- answers, credit     <--    collect() <-- target lane
//
// Positions are the lane's own, the same on both sides. One thread each.
#pragma once

#include <cstdint>

#include "channel/net/frame.hpp"
#include "channel/net/outbox.hpp"
#include "lane/shared_lane.hpp"
#include "ramjet/detail/lane/layout.hpp"

namespace ramjet::channel {

using lane::lane_shape;

// Where the bytes that follow a frame go, and how many are still to come.
struct landing {
  std::byte* to = nullptr;
  std::size_t bytes = 0;
};

// At the sender: its outgoing lane.
class source_mirror {
 public:
  source_mirror(const detail::lane& lane, const lane_shape& shape) : lane_(lane), shape_(shape) {}

  // Puts frames for what is new into the outbox, as much as it takes; how many records.
  unsigned collect(outbox& out);
  // Whether nothing is new.
  bool all_collected() const;
  // A frame came with `words` words of answers; null if it can be true, else what is wrong.
  // With a region, it is to land where `region` says before commit_region().
  const char* apply_answers(const frame_head& head, const frame_body& words, landing& region);
  void commit_region();
  const char* apply_credit(std::uint64_t freed);
  // Ends the process if an equation of the fields below does not hold. Between calls.
  void audit() const;

 private:
  friend struct mirror_inspector;  // tests begin at other positions

  detail::word* at(std::uint64_t position) const {
    return lane_.records + (position & (shape_.ring_words - 1));
  }

  detail::lane lane_;
  lane_shape shape_;
  std::uint64_t moved_ = 0;     // records before it are collected; even
  std::uint64_t last_ = 0;      // the extended record that ended a frame; <= moved_
  std::uint64_t consumed_ = 0;  // reply payload bytes, as last sent
  detail::word* held_ = nullptr;  // an answer whose region is on its way
  std::uint64_t held_header_ = 0;
};

// At the receiver: its incoming lane.
class target_mirror {
 public:
  target_mirror(const detail::lane& lane, const lane_shape& shape) : lane_(lane), shape_(shape) {}

  // Puts frames for new answers, and for the credit that they allow, into the outbox.
  unsigned collect(outbox& out);
  bool all_collected() const;
  bool has_received() const { return moved_ != 0; }
  const char* apply_records(const frame_head& head, const frame_body& words, landing& region);
  void commit_region();
  const char* apply_consumed(std::uint64_t bytes);
  // The receiver does not read the lane by itself: its bell has to be rung.
  bool must_ring() const { return lane_.credit->attended.load(std::memory_order_relaxed) == 0; }
  detail::lane& lane() { return lane_; }
  void audit() const;

 private:
  friend struct mirror_inspector;

  detail::word* at(std::uint64_t position) const {
    return lane_.records + (position & (shape_.ring_words - 1));
  }
  bool may_pass(std::uint64_t position, std::uint64_t header, std::uint32_t head) const;

  detail::lane lane_;
  lane_shape shape_;
  std::uint64_t moved_ = 0;     // records before it are in the lane; even
  // Records before it are answered or consumed, and sent back: moved_ - returned_ <= ring words.
  std::uint64_t returned_ = 0;
  std::uint64_t freed_ = 0;     // the credit word as last sent; head <= moved_
  detail::word* held_ = nullptr;
  std::uint64_t held_header_ = 0;
};

}  // namespace ramjet::channel
