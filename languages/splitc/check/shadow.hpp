// SPDX-License-Identifier: Apache-2.0
// The race detector's memory: for each word of four bytes of this processor's segment, who wrote it
// last and who has read it since, with the time and the site. Only the segment's processor touches
// it; what others do there, they tell it in messages.
//
// Time is a vector clock: each processor counts its own time in four components, since its gets,
// puts and stores end apart from what it does itself. An access is before another one if its time
// is not after what the other one's processor knew of it. Two accesses of two processors to a byte,
// one of them a write, neither before the other, are a race.
//
//   access: | processor:10 | component:2 | clock:28 | site:20 | bytes:4 |     0: none
//
// It is as large as four times the segment, in address space; pages are there once they are used.
// Threads: the main thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "languages/splitc/check/sites.hpp"

namespace ramjet::splitc::check {

enum component : unsigned {
  kMain,  // what the processor does itself
  kSplitPhase,  // its gets' reads and puts' writes elsewhere; known to be done after sync()
  kStore,  // its stores, after all_store_sync(), or the target's store_sync()
  kLanding,  // what its gets write here; after sync()
  kComponents
};

inline constexpr unsigned kProcessorsMax = 1 << 10;
inline constexpr std::uint32_t kClockMax = (1u << 28) - 1;

class access {
 public:
  access() = default;
  access(unsigned processor, component c, std::uint32_t clock, unsigned site)
      : bits_(std::uint64_t(processor) << 54 | std::uint64_t(c) << 52 | std::uint64_t(clock) << 24 |
              std::uint64_t(site) << 4) {}
  access on(unsigned bytes) const noexcept { return access((bits_ & ~std::uint64_t{15}) | bytes); }

  explicit operator bool() const noexcept { return bits_ != 0; }
  unsigned processor() const noexcept { return unsigned(bits_ >> 54); }
  component part() const noexcept { return component(bits_ >> 52 & 3); }
  std::uint32_t clock() const noexcept { return std::uint32_t(bits_ >> 24) & kClockMax; }
  unsigned site() const noexcept { return unsigned(bits_ >> 4) & 0xfffff; }
  unsigned bytes() const noexcept { return unsigned(bits_) & 15; }
  // The same processor at the same time, at these bytes at least.
  bool says(const access& a) const noexcept {
    return bits_ >> 24 == a.bits_ >> 24 && (a.bytes() & ~bytes()) == 0;
  }
  // The same but for the bytes.
  bool is_like(const access& a) const noexcept { return bits_ >> 4 == a.bits_ >> 4; }

 private:
  explicit access(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

// [processor][component]: what a processor knows to be over.
using known_times = const std::uint32_t*;

struct race {
  std::uint64_t address;
  access before, now;
  bool before_writes, now_writes;
};
using race_report = std::function<void(const race&)>;

class shadow {
 public:
  void open(std::uint64_t begin, std::uint64_t bytes);

  // Whether a plain access of this kind to at most eight bytes, at this time, is there already.
  bool has(std::uint64_t address, std::uint64_t bytes, bool writes, access a) const noexcept;
  // `a` without its bytes. The range is inside the segment.
  void record(std::uint64_t address, std::uint64_t bytes, bool writes, access a, known_times known,
              const race_report& found);

 private:
  struct cell {
    access write, read;
  };
  struct kept {
    access what;
    bool writes;
  };
  void record_word(std::uint64_t word, bool writes, access a, known_times known,
                   const race_report& found);

  std::uint64_t begin_ = 0;
  cell* cells_ = nullptr;
  std::unordered_map<std::uint64_t, std::vector<kept>> more_;  // by word, what a cell cannot hold
};

// Sites by number, all of a line by one: 2^20 of them, then 0 for all others.
class site_numbers {
 public:
  unsigned number_of(site at);  // in [0, 2^20)
  site at(unsigned number) const noexcept { return sites_[number]; }

 private:
  unsigned new_number(site at);
  struct recent {
    site at = nullptr;
    unsigned number = 0;
  };
  recent recent_[256];
  std::unordered_map<site, unsigned> numbers_;
  std::unordered_map<std::string, unsigned> lines_;
  std::vector<site> sites_{nullptr};
};

}  // namespace ramjet::splitc::check
