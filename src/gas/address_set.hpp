// SPDX-License-Identifier: Apache-2.0
// A set of addresses: open addressing with linear probing, so that an insertion and a removal touch
// a line or two each, and nothing is allocated but when it grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>

namespace ramjet::gas {

// Equations between calls: slots are a power of two, or none; 2 * count <= slots; between an
// address and the slot where its search begins no slot is free.
class address_set {
 public:
  // An address that is not 0 and not in it. false: there is no memory for it.
  bool insert(std::uint64_t address) noexcept {
    if (2 * (count_ + 1) > slot_count_ && !grow_slow()) return false;
    put(address);
    ++count_;
    return true;
  }

  // Whether it was there.
  bool erase(std::uint64_t address) noexcept {
    if (count_ == 0 || address == 0) return false;
    std::size_t i = home_of(address);
    while (slots_[i] != address && slots_[i] != 0) i = after(i);
    if (slots_[i] == 0) return false;
    close_gap(i);
    --count_;
    return true;
  }

  std::size_t count() const noexcept { return count_; }

 private:
  static constexpr std::size_t kSlotsMin = 64;

  std::size_t after(std::size_t i) const noexcept { return (i + 1) & (slot_count_ - 1); }
  // The low 4 bits of what an allocator returns are 0.
  std::size_t home_of(std::uint64_t address) const noexcept {
    const std::uint64_t mixed = (address >> 4) * 0x9E37'79B9'7F4A'7C15;
    return std::size_t(mixed >> 32) & (slot_count_ - 1);
  }
  void put(std::uint64_t address) noexcept {
    std::size_t i = home_of(address);
    while (slots_[i] != 0) i = after(i);
    slots_[i] = address;
  }
  bool grow_slow() noexcept {
    const std::size_t old_count = slot_count_;
    const std::size_t count = old_count == 0 ? kSlotsMin : 2 * old_count;
    std::unique_ptr<std::uint64_t[]> more(new (std::nothrow) std::uint64_t[count]());
    if (more == nullptr) return false;
    const auto old = std::exchange(slots_, std::move(more));
    slot_count_ = count;
    for (std::size_t i = 0; i < old_count; ++i)
      if (old[i] != 0) put(old[i]);
    return true;
  }
  // Frees slot `gap`, and moves up what would not be found behind a free slot.
  void close_gap(std::size_t gap) noexcept {
    const std::size_t mask = slot_count_ - 1;
    for (std::size_t i = after(gap); slots_[i] != 0; i = after(i)) {
      const std::size_t from_home = (i - home_of(slots_[i])) & mask;
      if (from_home < ((i - gap) & mask)) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap] = 0;
  }

  std::unique_ptr<std::uint64_t[]> slots_;  // 0: free
  std::size_t slot_count_ = 0;
  std::size_t count_ = 0;
};

}  // namespace ramjet::gas
