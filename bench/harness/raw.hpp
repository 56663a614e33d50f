// SPDX-License-Identifier: Apache-2.0
// The raw limits: what bare loads and stores need for the same thing between the same cores, with
// no library in between. A rank that waits spins tightly; only after many turns it yields, so that
// a rank that was pushed off its core comes back.
//
// Threads: each rank has its own raw_rank; all of them call the same functions in the same order.
#pragma once

#include <sched.h>

#include <cstdint>

#include "harness/area.hpp"
#include "harness/check.hpp"
#include "harness/samples.hpp"

namespace bench {

class raw_rank {
 public:
  raw_rank() = default;
  raw_rank(shared_area& area, int rank, int ranks) : area_(&area), rank_(rank), ranks_(ranks) {}

  // Ranks 0 and 1, two cache lines: rank 1 answers what rank 0 writes. ns a round trip at rank 0.
  double round_trip_ns(unsigned count);

  // The same with work: rank 0 calls ask(i) before and take(i) after, which says whether it found
  // what it should; rank 1 answer(i) in between.
  template <class Ask, class Answer, class Take>
  double turns_ns(unsigned count, Ask&& ask, Answer&& answer, Take&& take);

  // Ranks 0 and 1: `count` 8-byte messages through a ring of 64-byte slots. No handlers. The flag
  // stands in the slot, the sender learns of free slots every quarter. Checks the sum.
  void stream(unsigned count);

  // All ranks: a barrier of one shared counter whose waiting ranks yield. ns each.
  double counter_barrier_ns(unsigned count);

  // Ranks 0 and 1: rank 0 calls write(slot, i) for i = 0 .. count - 1, rank 1 then read(slot, i),
  // which says whether it found what it should. At most `slots` are under way.
  template <class Write, class Read>
  void blocks(unsigned count, unsigned slots, Write&& write, Read&& read);

 private:
  shared_area* area_ = nullptr;
  int rank_ = 0;
  int ranks_ = 1;
  std::uint64_t turns_ = 0;  // round trips so far
  std::uint64_t streamed_ = 0;  // messages through the ring so far
  std::uint64_t blocks_ = 0;  // blocks so far
};

// --- Inline -------------------------------------------------------------------------------------

// Spins until ready() holds.
template <class Ready>
inline void spin_until(Ready&& ready) {
  constexpr unsigned kTurnsBeforeYield = 1u << 14;
  for (unsigned turns = 0; !ready();) {
    if (++turns == kTurnsBeforeYield) [[unlikely]] {
      turns = 0;
      ::sched_yield();
    }
  }
}

inline void wait_for(const line& shared, std::uint64_t value) {
  spin_until([&] { return shared.word.load(std::memory_order_acquire) >= value; });
}

inline void publish(line& shared, std::uint64_t value) {
  shared.word.store(value, std::memory_order_release);
}

template <class Ask, class Answer, class Take>
double raw_rank::turns_ns(unsigned count, Ask&& ask, Answer&& answer, Take&& take) {
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i) {
    ++turns_;
    if (rank_ == 0) {
      ask(i);
      publish(area_->ping, turns_);
      wait_for(area_->pong, turns_);
      BENCH_CHECK(take(i), "an answer of the raw limit came wrong");
    } else if (rank_ == 1) {
      wait_for(area_->ping, turns_);
      answer(i);
      publish(area_->pong, turns_);
    }
  }
  return (now_ns() - begin_ns) / count;
}

template <class Write, class Read>
void raw_rank::blocks(unsigned count, unsigned slots, Write&& write, Read&& read) {
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t number = blocks_++;
    const auto slot = unsigned(number % slots);
    if (rank_ == 0) {
      if (number >= slots) wait_for(area_->consumed, number + 1 - slots);
      write(slot, i);
      publish(area_->published, number + 1);
    } else if (rank_ == 1) {
      wait_for(area_->published, number + 1);
      BENCH_CHECK(read(slot, i), "a block of the raw limit arrived wrong");
      publish(area_->consumed, number + 1);
    }
  }
}

}  // namespace bench
