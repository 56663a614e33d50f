// SPDX-License-Identifier: Apache-2.0
// How often each key was added: an open-addressing table for the keys of one bin, small enough for
// the caches. A slot whose count is 0 is free.
//
// Caches below the first take some ten cycles, so a key is not counted when it is added: its slot
// is prefetched, and it waits in a short queue while the next ones arrive.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "key.hpp"
#include "word_memory.hpp"

namespace kmer {

template <class Key>
class count_table {
 public:
  struct slot {
    Key key;
    std::uint64_t count;
  };

  // Its slots are in this memory, whatever that holds, and in more when it is too small.
  explicit count_table(word_memory memory = {}) : memory_(std::move(memory)) {}

  // An empty table with room for `expected` different keys; it grows when there are more. They are
  // of one of `parts` intervals of hashes, which part_of() tells.
  void reset(std::uint64_t expected, std::uint64_t parts = 1) {
    hash_factor_ = kHashFactor * parts;
    slot_bits_ = static_cast<unsigned>(std::bit_width(expected + expected / 2 + kSlotsMin));
    used_ = 0;
    make_free(0);
    waiting_number_ = 0;
  }

  // The interval of a key's hash, of `parts` equal ones in their order.
  static std::uint64_t part_of(Key key, std::uint64_t parts) {
    return static_cast<std::uint64_t>(static_cast<wide_key>(hash_of(key)) * parts >> 64);
  }

  // Counts a key, some additions later.
  void add(Key key) {
    const std::uint64_t index = index_of(key);
    __builtin_prefetch(all() + index, 1);
    const std::size_t at = waiting_number_++ % kWaiting;
    const std::pair<Key, std::uint64_t> oldest = std::exchange(waiting_[at], {key, index});
    if (waiting_number_ > kWaiting) [[likely]]
      count(oldest.first, oldest.second);
  }
  // Counts what is waiting.
  void flush() {
    const std::uint64_t number = std::min<std::uint64_t>(waiting_number_, kWaiting);
    for (std::uint64_t i = waiting_number_ - number; i < waiting_number_; ++i) {
      const auto& [key, index] = waiting_[i % kWaiting];
      count(key, index);
    }
    waiting_number_ = 0;
  }

  // The following want flush() before them.
  std::uint64_t distinct() const { return used_; }
  template <class Take>  // (const slot&)
  void for_each(Take&& take) const {
    for (const slot *s = all(), *end = s + slots(); s != end; ++s) {
      if (s->count != 0) take(*s);
    }
  }

  static std::uint64_t bytes_for(std::uint64_t keys) {
    return (std::uint64_t{1} << std::bit_width(keys + keys / 2 + kSlotsMin)) * sizeof(slot);
  }

 private:
  static constexpr std::size_t kWaiting = 16;  // power of two
  static constexpr std::uint64_t kSlotsMin = 500;

  slot* all() const { return reinterpret_cast<slot*>(memory_.data()); }
  std::uint64_t slots() const { return std::uint64_t{1} << slot_bits_; }
  // By the place of its hash in the interval: slots are nearly in the order of hashes.
  std::uint64_t index_of(Key key) const { return hash_of(key, hash_factor_) >> (64 - slot_bits_); }

  void count(Key key, std::uint64_t index) {
    const std::uint64_t last = slots() - 1;
    for (;; index = (index + 1) & last) {
      slot& s = all()[index];
      if (s.count == 0) {
        s = {key, 1};
        if (++used_ > slots() / 4 * 3) [[unlikely]]
          grow_slow();
        return;
      }
      if (s.key == key) {
        ++s.count;
        return;
      }
    }
  }

  // There are slots() of them, and those from `first` on are free.
  void make_free(std::uint64_t first) {
    const std::uint64_t held = memory_.words() * sizeof(std::uint64_t) / sizeof(slot);
    memory_.grow(slots() * sizeof(slot) / sizeof(std::uint64_t));
    const std::uint64_t dirty = std::min(slots(), held);
    if (first >= dirty) return;
    std::memset(static_cast<void*>(all() + first), 0, (dirty - first) * sizeof(slot));
  }

  // Twice the slots, where they are. A key's index becomes twice what it was, or one more. So the
  // last one goes first: what is behind the slot that it leaves is the larger table already.
  __attribute__((noinline, cold)) void grow_slow() {
    const std::uint64_t number = slots();
    ++slot_bits_;
    make_free(number);
    std::vector<slot> apart;  // those few that would have to go before that slot
    for (std::uint64_t index = number; index-- > 0;) {
      if (all()[index].count == 0) continue;
      const slot s = std::exchange(all()[index], {});
      const std::uint64_t first = index_of(s.key);
      const std::uint64_t at = first < index ? slots() : free_from(first);
      if (at < slots()) {
        all()[at] = s;
      } else {
        apart.push_back(s);
      }
    }
    for (const slot& s : apart) {
      std::uint64_t at = free_from(index_of(s.key));
      if (at == slots()) at = free_from(0);
      all()[at] = s;
    }
    for (auto& [key, index] : waiting_) index = index_of(key);
  }
  // The first free slot from this one on; slots() if there is none.
  std::uint64_t free_from(std::uint64_t at) const {
    while (at < slots() && all()[at].count != 0) ++at;
    return at;
  }

  word_memory memory_;
  unsigned slot_bits_ = 0;
  std::uint64_t hash_factor_ = kHashFactor;
  std::uint64_t used_ = 0;            // slots whose count is not 0; <= 3/4 of all
  std::uint64_t waiting_number_ = 0;  // keys that were put into waiting_
  std::array<std::pair<Key, std::uint64_t>, kWaiting> waiting_{};
};

}  // namespace kmer
