// SPDX-License-Identifier: Apache-2.0
// Takes events out of the rings of a node's memory: while its ranks run, and what is left when they
// have ended. A rank never waits for this: it goes on and overwrites its oldest events, and what
// was overwritten before it was taken is counted (ADR 22).
//
// Threads: one at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "report/node_memory.hpp"
#include "trace/file/writer.hpp"

namespace ramjet::trace {

// Where events go.
class event_store {
 public:
  virtual ~event_store() = default;
  // Events of the ring, the next ones. Returns how many were taken: all, or as many as there is
  // room for.
  virtual std::size_t take(traced_ring& ring, std::span<const event> events) = 0;
  // Events are missing before the next ones.
  virtual void note_gap(traced_ring& ring) = 0;
};

// What becomes of a ring after it is read.
enum class ring_life {
  runs,  // its owner writes on, and it is read again
  read_last,  // its owner may write on, and this is the last time that it is read
  ended,  // its owner writes no more
};

class event_taker {
 public:
  event_taker(std::uint64_t events, event_store& store) : events_(events), store_(store) {}

  // Adds the rings of the node's ranks, once these have agreed on what lies where; false: not yet.
  bool find(const report::node_memory& memory, unsigned node, unsigned& endpoints);
  std::vector<traced_ring>& rings() { return rings_; }

  // Takes what is in the rings whose new events fill so large a part of them, 0: any. False: there
  // was nothing to take.
  bool take_filled(unsigned part);
  void take_from(traced_ring& ring, ring_life life);
  // Events before `first` are not told.
  void drop_before(traced_ring& ring, std::uint64_t first);
  std::uint64_t written_in(const traced_ring& ring) const;

 private:
  void read_names(traced_ring& ring);
  std::span<const event> read_events(traced_ring& ring, std::uint64_t& written, ring_life life);

  const std::uint64_t events_;  // of a ring
  event_store& store_;
  std::vector<traced_ring> rings_;
  std::vector<event> read_;
};

// A pair of times of one moment: this machine's ticks, and CLOCK_MONOTONIC.
struct clock_pair {
  std::uint64_t ticks = 0, ns = 0;
};
// The pair that was read fastest of some.
clock_pair read_clocks();

}  // namespace ramjet::trace
