// SPDX-License-Identifier: Apache-2.0
#include "harness/raw.hpp"

namespace bench {
namespace {

// Messages first, first + 1, ... through the ring.
void send_all(shared_area& area, std::uint64_t first, unsigned count) {
  std::uint64_t freed = area.freed.word.load(std::memory_order_acquire);
  const std::uint64_t end = first + count;
  for (std::uint64_t at = first; at != end; ++at) {
    if (at - freed >= kRingSlots) [[unlikely]] {
      spin_until([&] {
        freed = area.freed.word.load(std::memory_order_acquire);
        return at - freed < kRingSlots;
      });
    }
    slot& s = area.ring[at % kRingSlots];
    s.payload[0] = at;
    s.lap.store(at + 1, std::memory_order_release);
  }
}

std::uint64_t receive_all(shared_area& area, std::uint64_t first, unsigned count) {
  std::uint64_t sum = 0;
  const std::uint64_t end = first + count;
  for (std::uint64_t at = first; at != end;) {
    slot& s = area.ring[at % kRingSlots];
    spin_until([&] { return s.lap.load(std::memory_order_acquire) == at + 1; });
    sum += s.payload[0];
    if (++at % (kRingSlots / 4) == 0) area.freed.word.store(at, std::memory_order_release);
  }
  return sum;
}

}  // namespace

double raw_rank::round_trip_ns(unsigned count) {
  const auto nothing = [](unsigned) {};
  return turns_ns(count, nothing, nothing, [](unsigned) { return true; });
}

void raw_rank::stream(unsigned count) {
  const std::uint64_t first = streamed_;
  streamed_ += count;
  if (rank_ == 0) {
    send_all(*area_, first, count);
  } else if (rank_ == 1) {
    const std::uint64_t sum = receive_all(*area_, first, count);
    const std::uint64_t n = count;
    BENCH_CHECK(sum == first * n + n * (n - 1) / 2, "the raw ring lost or changed messages");
  }
}

double raw_rank::counter_barrier_ns(unsigned count) {
  const double begin_ns = now_ns();
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t generation = area_->generation.word.load(std::memory_order_relaxed);
    if (area_->arrived.word.fetch_add(1, std::memory_order_acq_rel) + 1 == unsigned(ranks_)) {
      area_->arrived.word.store(0, std::memory_order_relaxed);
      publish(area_->generation, generation + 1);
    } else {
      while (area_->generation.word.load(std::memory_order_acquire) == generation) ::sched_yield();
    }
  }
  return (now_ns() - begin_ns) / count;
}

}  // namespace bench
