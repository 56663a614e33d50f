// SPDX-License-Identifier: Apache-2.0
// An engine whose one peer is the fuzz input: both lanes stand in separate blocks of the heap, each
// exactly as long as the lane says, so that a step outside is seen by the address sanitizer.
//
// The rings are short (eight lines), so that an input of a few dozen bytes goes around them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ramjet/ramjet.hpp"

namespace ramjet::detail {

struct engine_inspector {
  static constexpr unsigned kRingWords = 64;

  static void shorten_rings(engine& e) {
    e.mask_ = kRingWords - 1;
    e.ring_shift_ = 6;
    e.credit_words_ = kRingWords / 4;
  }
  static std::uint64_t payload_bytes(const engine& e) { return e.payload_bytes_; }
  static std::uint64_t mask(const engine& e) { return e.mask_; }
  static std::uint8_t lap(const engine& e, std::uint64_t position) { return e.lap(position); }
  static void activate(engine& e, peer& p) { e.activate(p); }
  // Gives the port up, as new: an index is opened once in a job, and many times here. What waits in
  // chains is forgotten, for its receiver is the input.
  static void close(engine& e) {
    port_line& port = *e.port_;
    for (peer& p : e.peers_) e.drop_chain(p);
    e.close();
    port.state.store(ramjet::detail::kUnopened, std::memory_order_relaxed);
  }
  static unsigned requests(const engine& e) { return e.requests_.count; }
  static unsigned replies(const engine& e) { return e.replies_.count; }
};

}  // namespace ramjet::detail

namespace fuzz {

using ramjet::detail::engine;
using ramjet::detail::engine_inspector;
using ramjet::detail::peer;

// Joins a job of one rank, once in the process.
void join_alone();

// The memory of a lane, for the peer's end to write.
struct lane_memory {
  ramjet::detail::lane lane;
  std::unique_ptr<std::byte, void (*)(void*)> records, request_payload, reply_payload, credit,
      consumed;
};

class fixture {
 public:
  fixture();
  ~fixture();

  engine& the_engine() { return engine_; }
  peer& the_peer() { return engine_.peer_at(0); }
  lane_memory& in() { return *in_; }  // the peer sends here
  lane_memory& out() { return *out_; }  // and answers here
  std::uint64_t payload_bytes() const { return engine_inspector::payload_bytes(engine_); }

 private:
  engine engine_;
  engine* before_;
  lane_memory* in_;  // of the process: making them anew would take most of the time
  lane_memory* out_;
};

// What must hold between calls whatever the peer wrote (the equations at the head of engine.hpp).
void audit(const engine& e, const peer& p);

}  // namespace fuzz
