// SPDX-License-Identifier: Apache-2.0
// What a program would write by hand to send many small items from one rank to another: a ring of
// 8 KiB blocks in shared memory, one writer, one reader. Zero at first.
//
//   taken <= sent <= taken + kBlocks
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace bench {

template <class Item>
class hand_ring {
 public:
  static constexpr std::size_t kItems = 8192 / sizeof(Item);

  // The writer's. While the ring is full it calls meanwhile().
  template <class Meanwhile>
  void add(Item item, Meanwhile&& meanwhile) {
    block& b = blocks_[open_ % kBlocks];
    b.items[count_++] = item;
    if (count_ == kItems) send(meanwhile);
  }
  template <class Meanwhile>
  void send(Meanwhile&& meanwhile) {
    blocks_[open_ % kBlocks].count = std::exchange(count_, 0);
    sent_.store(++open_, std::memory_order_release);
    while (open_ - taken_.load(std::memory_order_acquire) >= kBlocks) meanwhile();
  }
  // What is left, and an empty block.
  template <class Meanwhile>
  void finish(Meanwhile&& meanwhile) {
    if (count_ != 0) send(meanwhile);
    send(meanwhile);
  }

  // The reader's: gives each block that is there to use(span). The empty one says that no more
  // come: false then.
  template <class Use>
  bool take(Use&& use) {
    for (; read_ != sent_.load(std::memory_order_acquire);) {
      const block& b = blocks_[read_ % kBlocks];
      const std::size_t count = b.count;
      use(std::span<const Item>(b.items.data(), count));
      taken_.store(++read_, std::memory_order_release);
      if (count == 0) return false;
    }
    return true;
  }

 private:
  static constexpr std::uint64_t kBlocks = 16;
  struct alignas(64) block {
    std::size_t count;
    alignas(64) std::array<Item, kItems> items;
  };

  alignas(64) std::atomic<std::uint64_t> sent_;
  std::uint64_t open_;  // the writer's, with count_: the block that it fills
  std::size_t count_;
  alignas(64) std::atomic<std::uint64_t> taken_;
  std::uint64_t read_;  // the reader's
  std::array<block, kBlocks> blocks_;
};

}  // namespace bench
