// SPDX-License-Identifier: Apache-2.0
// One rank's part of a hash_table: open addressing with linear probing, key and value in one slot,
// so that an update touches one line or two. Owned by the main thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>

#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/base/owned.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

// A program's hash may be the key itself: every bit of the result depends on all bits of it.
constexpr std::uint64_t mix_hash(std::uint64_t h) noexcept {
  h = (h ^ h >> 32) * 0x9E37'79B9'7F4A'7C15;
  h = (h ^ h >> 29) * 0xD6E8'FEB8'6659'FD93;
  return h ^ h >> 32;
}

// `hash` is what mix_hash made of Hash's result for the key.
template <class Key, class Value, class Hash>
class flat_table {
 public:
  explicit flat_table(std::size_t expected) {
    const std::size_t slots = expected / 3 * 4 + expected % 3 + 1;
    allocate(std::bit_ceil(slots < kSlotsMin ? kSlotsMin : slots));
  }

  std::size_t size() const noexcept { return used_; }

  Value* find(const Key& key, std::uint64_t hash) const noexcept {
    for (std::size_t i = hash & mask_; slots_[i].used; i = (i + 1) & mask_)
      if (slots_[i].key == key) return &slots_[i].value;
    return nullptr;
  }

  // The value of the key: value-initialised if it is new.
  Value& at(const Key& key, std::uint64_t hash) {
    std::size_t i = hash & mask_;
    for (; slots_[i].used; i = (i + 1) & mask_)
      if (slots_[i].key == key) return slots_[i].value;
    if (used_ >= used_max()) [[unlikely]] {
      grow_slow();
      i = free_slot(hash);
    }
    return put(i, key, Value());
  }

  bool erase(const Key& key, std::uint64_t hash) noexcept {
    std::size_t i = hash & mask_;
    for (; slots_[i].used; i = (i + 1) & mask_)
      if (slots_[i].key == key) break;
    if (!slots_[i].used) return false;
    close_gap(i);
    --used_;
    return true;
  }

  // body(const Key&, Value&), in no order.
  template <class Body>
  void for_each(Body& body) {
    for (std::size_t i = 0; i <= mask_; ++i)
      if (slots_[i].used) body(static_cast<const Key&>(slots_[i].key), slots_[i].value);
  }

 private:
  struct slot {
    Key key;
    Value value;
    bool used;
  };
  static_assert(std::is_trivially_copyable_v<slot> && alignof(slot) <= alignof(std::max_align_t));
  struct give_back {
    void operator()(slot* slots) const noexcept { std::free(slots); }
  };
  using memory = owned<slot[], give_back>;
  static constexpr std::size_t kSlotsMin = 64;

  std::size_t used_max() const noexcept { return (mask_ + 1) / 4 * 3; }
  static std::uint64_t hash_of(const Key& key) { return mix_hash(Hash{}(key)); }

  // Zeroed memory costs nothing until it is touched, and says that no slot is used.
  void allocate(std::size_t slots) {
    slots_ = memory(static_cast<slot*>(std::calloc(slots, sizeof(slot))));
    RAMJET_CHECK(slots_, "hash_table: no memory for this rank's part to grow");
    mask_ = slots - 1;
  }
  std::size_t free_slot(std::uint64_t hash) const noexcept {
    std::size_t i = hash & mask_;
    while (slots_[i].used) i = (i + 1) & mask_;
    return i;
  }
  Value& put(std::size_t i, const Key& key, const Value& value) {
    ++used_;
    return (new (&slots_[i]) slot{key, value, true})->value;
  }
  void grow_slow() {
    const memory old = std::move(slots_);
    const std::size_t old_slots = mask_ + 1;
    allocate(old_slots * 2);
    used_ = 0;
    for (std::size_t i = 0; i < old_slots; ++i)
      if (old[i].used) put(free_slot(hash_of(old[i].key)), old[i].key, old[i].value);
  }
  // Frees slot `gap`, and moves up what would not be found behind a free slot.
  void close_gap(std::size_t gap) noexcept {
    for (std::size_t i = (gap + 1) & mask_; slots_[i].used; i = (i + 1) & mask_) {
      const std::size_t from_home = (i - hash_of(slots_[i].key)) & mask_;
      if (from_home < ((i - gap) & mask_)) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap].used = false;
  }

  memory slots_;  // some are free, so that every search ends
  std::size_t mask_ = 0;
  std::size_t used_ = 0;  // used_ <= used_max()
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
