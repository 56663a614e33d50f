// SPDX-License-Identifier: Apache-2.0
// The raw limit: what the machine itself needs to move the same bytes between the same processes,
// with no library in between. Each kernel is run by all ranks of its group over one shared area, so
// a peer program can take it between two of its own measurements, whatever started its processes.
//
// The area, zero at first; a line is 64 bytes:
//
//   arrived[0..ranks-1] | ping | pong | decision | listening |
//   blocks: published, consumed, 8 x 64 KiB | ring[from][to]...
//
// Every word has one writer: arrived[r] and ring[r][*].slots rank r, ring[*][r].consumed rank r,
// ping, decision, listening and the blocks rank 0, pong and blocks.consumed rank 1.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "measure.hpp"
#include "payload.hpp"

namespace peers {

inline constexpr uint64_t kRingSlots = 512;

struct alignas(64) line {
  std::atomic<uint64_t> word;
};

struct alignas(64) slot {
  std::atomic<uint64_t> sequence;  // the message's number + 1, which publishes the payload
  uint64_t payload[7];
};

struct ring {
  line consumed;  // sent - consumed <= kRingSlots
  slot slots[kRingSlots];
};

struct block_area {
  line published;
  line consumed;  // published - consumed <= kBlocksInFlight
  uint64_t words[kBlocksInFlight][kBlockWords];
};

struct area {
  line arrived[kRanksMax];
  line ping;
  line pong;
  line decision;
  line listening;
  block_area blocks;
};

static_assert(sizeof(slot) == 64 && sizeof(line) == 64 && sizeof(area) % 64 == 0);
static_assert(std::atomic<uint64_t>::is_always_lock_free);

inline size_t area_bytes(int ranks) {
  return sizeof(area) + sizeof(ring) * static_cast<size_t>(ranks) * static_cast<size_t>(ranks);
}

class ring_sender {
 public:
  explicit ring_sender(ring& shared) : ring_(&shared) {}

  bool try_send(uint64_t value) {
    if (sent_ - consumed_ == kRingSlots) {
      consumed_ = ring_->consumed.word.load(std::memory_order_acquire);  // pairs: peers.credit
      if (sent_ - consumed_ == kRingSlots) {
        return false;
      }
    }
    slot& next = ring_->slots[sent_ % kRingSlots];
    next.payload[0] = value;
    next.sequence.store(++sent_, std::memory_order_release);  // pairs: peers.slot
    return true;
  }

  void send(uint64_t value) {
    while (!try_send(value)) {
    }
  }

 private:
  ring* ring_;
  uint64_t sent_ = 0;
  uint64_t consumed_ = 0;
};

class ring_receiver {
 public:
  explicit ring_receiver(ring& shared) : ring_(&shared) {}

  bool try_receive(uint64_t& value) {
    slot& next = ring_->slots[received_ % kRingSlots];
    if (next.sequence.load(std::memory_order_acquire) != received_ + 1) {  // pairs: peers.slot
      return false;
    }
    value = next.payload[0];
    if (++received_ % (kRingSlots / 4) == 0) {
      ring_->consumed.word.store(received_, std::memory_order_release);  // pairs: peers.credit
    }
    return true;
  }

  uint64_t receive() {
    uint64_t value = 0;
    while (!try_receive(value)) {
    }
    return value;
  }

 private:
  ring* ring_;
  uint64_t received_ = 0;
};

// One rank's view of the area. All ranks call the same kernels in the same order; a kernel returns
// this rank's time per item, which only rank 0 reports.
class raw {
 public:
  raw(void* memory, int rank, int ranks, int cpus)
      : area_(static_cast<area*>(memory)), rank_(rank), ranks_(ranks), yield_(ranks > cpus) {
    PEERS_CHECK(ranks <= kRanksMax && reinterpret_cast<uintptr_t>(memory) % alignof(area) == 0);
    auto* rings = reinterpret_cast<ring*>(area_ + 1);
    for (int other = 0; other < ranks; ++other) {
      to_.emplace_back(rings[rank * ranks + other]);
      from_.emplace_back(rings[other * ranks + rank]);
    }
    for (auto& words : source_) {
      words.resize(kBlockWords);
      fill_pattern(words.data(), kBlockBytes);
    }
  }

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  // For the limit of a network (network.hpp).
  std::atomic<uint64_t>& listening() { return area_->listening.word; }

  void barrier() {
    meet([] {});
  }

  // A barrier between two kernels, which keeps a library's progress going while it waits.
  template <class Idle>
  void meet(Idle idle) {
    area_->arrived[rank_].word.store(++meetings_, std::memory_order_release);  // pairs: peers.meet
    for (int other = 0; other < ranks_; ++other) {
      // pairs: peers.meet
      while (area_->arrived[other].word.load(std::memory_order_acquire) < meetings_) {
        idle();
        if (yield_) {
          sched_yield();
        }
      }
    }
  }

  // Rank 0's decision, known to all.
  bool decide(bool of_rank_0) {
    if (rank_ == 0) area_->decision.word.store(of_rank_0, std::memory_order_relaxed);
    barrier();
    const bool decision = area_->decision.word.load(std::memory_order_relaxed) != 0;
    barrier();
    return decision;
  }

  // Two lines, tight spin: ns a round trip.
  double round_trip_ns(int count);
  // 8-byte messages through a bare ring from every other rank to rank 0: M/s handled there.
  double one_way_rate(int count_per_sender);
  // Requests and replies through two bare rings, 64 under way: M/s of pairs.
  double window_rate(int count);
  // 1 KiB there and back, copied once each way: ns a round trip.
  double echo_ns(int count);
  // 64 KiB blocks copied (fresh ones: written) into a shared ring of 8: GB/s.
  double block_bandwidth(int count, content kind);
  // All ranks in a barrier of one counter each: ns a barrier.
  double barrier_ns(int count);
  // Every rank sends 8-byte messages to every other in turn: M/s sent by a rank.
  double all_to_all_rate(int count_per_pair);

 private:
  double rate(double start_ns, double items) const { return items / (now_ns() - start_ns) * 1e3; }

  static void wait_for(const line& shared, uint64_t value) {
    while (shared.word.load(std::memory_order_acquire) < value) {  // pairs: peers.line
    }
  }

  static void publish(line& shared, uint64_t value) {
    shared.word.store(value, std::memory_order_release);  // pairs: peers.line
  }

  area* area_;
  int rank_;
  int ranks_;
  bool yield_;  // more ranks than cores: a spinning rank would keep the awaited one from running
  uint64_t meetings_ = 0;
  uint64_t turns_ = 0;
  uint64_t blocks_ = 0;
  size_t whole_bytes_ = 0;
  std::vector<ring_sender> to_;
  std::vector<ring_receiver> from_;
  std::vector<uint64_t> source_[kBlocksInFlight];
};

inline double raw::round_trip_ns(int count) {
  barrier();
  const double start_ns = now_ns();
  for (int i = 0; i < count; ++i) {
    ++turns_;
    if (rank_ == 0) {
      publish(area_->ping, turns_);
      wait_for(area_->pong, turns_);
    } else {
      wait_for(area_->ping, turns_);
      publish(area_->pong, turns_);
    }
  }
  return (now_ns() - start_ns) / count;
}

inline double raw::one_way_rate(int count_per_sender) {
  barrier();
  const double start_ns = now_ns();
  const uint64_t count = static_cast<uint64_t>(count_per_sender);
  const uint64_t total = count * static_cast<uint64_t>(ranks_ - 1);
  if (rank_ != 0) {
    for (uint64_t i = 0; i < count; ++i) {
      to_[0].send(i);
    }
  } else {
    uint64_t sum = 0;
    uint64_t value = 0;
    for (uint64_t received = 0; received < total;) {
      for (int from = 1; from < ranks_; ++from) {
        while (from_[from].try_receive(value)) {
          sum += value;
          ++received;
        }
      }
    }
    PEERS_CHECK(sum == static_cast<uint64_t>(ranks_ - 1) * (count * (count - 1) / 2));
  }
  return rate(start_ns, static_cast<double>(total));
}

inline double raw::window_rate(int count) {
  barrier();
  const double start_ns = now_ns();
  const uint64_t total = static_cast<uint64_t>(count);
  if (rank_ == 0) {
    uint64_t value = 0;
    for (uint64_t sent = 0, done = 0; done < total;) {
      while (sent < total && sent - done < kWindow) {
        to_[1].send(sent++);
      }
      while (done < sent && from_[1].try_receive(value)) {
        PEERS_CHECK(value == done);
        ++done;
      }
    }
  } else {
    for (uint64_t i = 0; i < total; ++i) {
      to_[0].send(from_[0].receive());
    }
  }
  return rate(start_ns, count);
}

inline double raw::echo_ns(int count) {
  barrier();
  uint64_t* there = area_->blocks.words[0];
  uint64_t* back = area_->blocks.words[1];
  const double start_ns = now_ns();
  for (int i = 0; i < count; ++i) {
    ++turns_;
    if (rank_ == 0) {
      stamp(source_[0].data(), kEchoBytes, turns_);
      std::memcpy(there, source_[0].data(), kEchoBytes);
      publish(area_->ping, turns_);
      wait_for(area_->pong, turns_);
      check_stamp(back, kEchoBytes, turns_);
    } else {
      wait_for(area_->ping, turns_);
      std::memcpy(back, there, kEchoBytes);
      publish(area_->pong, turns_);
    }
  }
  const double each_ns = (now_ns() - start_ns) / count;
  fill_pattern(source_[0].data(), kBlockBytes);
  return each_ns;
}

inline double raw::block_bandwidth(int count, content kind) {
  barrier();
  const uint64_t first = blocks_;
  blocks_ += static_cast<uint64_t>(count);
  block_area& blocks = area_->blocks;
  block_checker checker(kind, kBlockBytes, whole_bytes_);
  const double start_ns = now_ns();
  for (uint64_t number = first; number < blocks_; ++number) {
    uint64_t* shared = blocks.words[number % kBlocksInFlight];
    if (rank_ == 0) {
      if (number >= kBlocksInFlight) {
        wait_for(blocks.consumed, number + 1 - kBlocksInFlight);
      }
      if (kind == content::fresh) {
        write_fresh(shared, kBlockBytes, number - first);
      } else {
        uint64_t* source = source_[number % kBlocksInFlight].data();
        stamp(source, kBlockBytes, number - first);
        std::memcpy(shared, source, kBlockBytes);
      }
      publish(blocks.published, number + 1);
    } else {
      wait_for(blocks.published, number + 1);
      checker.take(shared);
      publish(blocks.consumed, number + 1);
    }
  }
  if (rank_ == 0) {
    wait_for(blocks.consumed, blocks_);
  }
  return static_cast<double>(count) * kBlockBytes / (now_ns() - start_ns);
}

inline double raw::barrier_ns(int count) {
  barrier();
  const double start_ns = now_ns();
  for (int i = 0; i < count; ++i) {
    barrier();
  }
  return (now_ns() - start_ns) / count;
}

inline double raw::all_to_all_rate(int count_per_pair) {
  barrier();
  const uint64_t count = static_cast<uint64_t>(count_per_pair);
  const uint64_t others = static_cast<uint64_t>(ranks_ - 1);
  uint64_t received = 0;
  uint64_t sum = 0;
  const auto drain = [&] {
    uint64_t value = 0;
    for (int from = 0; from < ranks_; ++from) {
      for (int burst = 0; from != rank_ && burst < 8 && from_[from].try_receive(value); ++burst) {
        sum += value;
        ++received;
      }
    }
  };
  const double start_ns = now_ns();
  for (uint64_t i = 0; i < count; ++i) {
    for (int other = 0; other < ranks_; ++other) {
      while (other != rank_ && !to_[other].try_send(i)) {
        drain();
      }
    }
    // Two ranks that drain after every message work in lockstep, at half the rate.
    if (i % 8 == 0) drain();
  }
  while (received < count * others) {
    drain();
  }
  PEERS_CHECK(sum == others * (count * (count - 1) / 2));
  return rate(start_ns, static_cast<double>(count * others));
}

}  // namespace peers
