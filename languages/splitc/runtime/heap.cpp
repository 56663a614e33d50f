// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/runtime/heap.hpp"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "job/join.hpp"
#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/base/cpu.hpp"
#include "ramjet/segment.hpp"

// Of the sanitizer's library; null where the program was built without it.
extern "C" {
[[gnu::weak]] void __asan_poison_memory_region(const volatile void* begin, std::size_t bytes);
[[gnu::weak]] void __asan_unpoison_memory_region(const volatile void* begin, std::size_t bytes);
}

namespace ramjet::splitc {

namespace {

constexpr std::size_t kGrain = 16;
constexpr std::size_t kChunkBytes = 64 * 1024;  // and their alignment

// Sizes of small blocks: every 16 bytes up to 1 KiB, then four to each doubling.
constexpr std::size_t kEvenMax = 1024, kSmallMax = 32 * 1024;
constexpr std::size_t kEvenSizes = kEvenMax / kGrain;
constexpr std::size_t kSizes = kEvenSizes + 4 * 5;

constexpr std::size_t size_for(std::size_t bytes) noexcept {  // 1 to kSmallMax
  if (bytes <= kEvenMax) return (bytes - 1) / kGrain;
  const auto log = std::size_t(std::bit_width(bytes - 1) - 1);  // 10: up to 2 KiB
  return kEvenSizes + (log - 10) * 4 + ((bytes - 1) >> (log - 2)) % 4;
}
constexpr std::size_t bytes_of(std::size_t size) noexcept {
  if (size < kEvenSizes) return (size + 1) * kGrain;
  const std::size_t doublings = (size - kEvenSizes) / 4, step = (size - kEvenSizes) % 4;
  return (4 + step + 1) << (doublings + 8);
}
static_assert(bytes_of(size_for(1025)) == 1280 && size_for(1280) + 1 == size_for(1281));
static_assert(size_for(kSmallMax) == kSizes - 1 && bytes_of(kSizes - 1) == kSmallMax);

struct free_block {
  free_block* next;
};

// In front of a large block.
struct large_header {
  void* memory;  // of segment_allocate
  std::size_t bytes;
};
static_assert(sizeof(large_header) == kGrain);

// While the heap is open: [begin, begin + bytes) is the window.
std::uint64_t begin = 0, bytes_in_all = 0;
std::uint64_t segment = 0;  // the same memory among the segments
std::uint8_t* sizes = nullptr;  // by chunk of the window: 1 + the size of its small blocks, or 0
free_block* lists[kSizes];
constinit thread_local bool may_take = false;
// What other threads gave back, until the main thread comes by.
// Written by all; the main thread takes the whole list.
std::atomic<free_block*> returned{nullptr};  // pairs: splitc.returned

void forbid(void* at, std::size_t bytes) noexcept {
  if (__asan_poison_memory_region != nullptr) __asan_poison_memory_region(at, bytes);
}
void permit(void* at, std::size_t bytes) noexcept {
  if (__asan_unpoison_memory_region != nullptr) __asan_unpoison_memory_region(at, bytes);
}
// So that the sanitizer has a byte behind each block that nobody may touch.
std::size_t margin() noexcept { return __asan_poison_memory_region != nullptr ? 1 : 0; }

std::byte* memory_at(std::uint64_t address) noexcept {
  return reinterpret_cast<std::byte*>(address);
}
std::uint64_t address_of(const void* memory) noexcept {
  return std::uint64_t(reinterpret_cast<std::uintptr_t>(memory));
}
bool is_here(const void* block) noexcept { return address_of(block) - begin < bytes_in_all; }
std::uint8_t& size_at(const void* block) noexcept {
  return sizes[(address_of(block) - begin) / kChunkBytes];
}
const large_header& header_of(const void* block) noexcept {
  return static_cast<const large_header*>(block)[-1];
}

// By the window's address; null if the segment is used up.
std::byte* from_segment(std::size_t bytes, std::size_t alignment) noexcept {
  const void* const memory = segment_allocate(bytes, alignment);
  return memory == nullptr ? nullptr : memory_at(address_of(memory) - segment + begin);
}

// --- Small blocks -------------------------------------------------------------------------------

void put_back(void* block, std::size_t size) noexcept {
  auto* const b = static_cast<free_block*>(block);
  permit(b, sizeof *b);
  b->next = lists[size];
  lists[size] = b;
  forbid(b, bytes_of(size));
}

bool refill(std::size_t size) noexcept {
  std::byte* const chunk = from_segment(kChunkBytes, kChunkBytes);
  if (chunk == nullptr) return false;
  size_at(chunk) = std::uint8_t(1 + size);
  const std::size_t block_bytes = bytes_of(size);
  // From the end, so that the first ones are given out first; pages are touched all the same.
  for (std::size_t n = kChunkBytes / block_bytes; n-- > 0;) put_back(chunk + n * block_bytes, size);
  return true;
}

// --- Large blocks -------------------------------------------------------------------------------

void* take_large(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t behind = margin() * kGrain;
  const std::size_t more = sizeof(large_header) + (alignment > kGrain ? alignment : 0) + behind;
  if (bytes > bytes_in_all) return nullptr;
  std::byte* const memory = from_segment(bytes + more, kGrain);
  if (memory == nullptr) return nullptr;
  permit(memory, bytes + more);
  const std::uint64_t first = address_of(memory) + sizeof(large_header);
  std::byte* const block = memory_at((first + alignment - 1) & -std::uint64_t(alignment));
  reinterpret_cast<large_header*>(block)[-1] = {memory, bytes};
  forbid(block + bytes, behind);
  return block;
}

void free_here(void* block) noexcept {
  if (const std::uint8_t size = size_at(block); size != 0) return put_back(block, size - 1u);
  const large_header header = header_of(block);
  forbid(block, header.bytes);  // the allocator has another name for it
  segment_free(header.memory);
}

void free_returned() noexcept {
  free_block* b = returned.exchange(nullptr, std::memory_order_acquire);  // pairs: splitc.returned
  while (b != nullptr) {
    free_block* const next = b->next;
    free_here(b);
    b = next;
  }
}

RAMJET_COLD void* take_slow(std::size_t bytes, std::size_t alignment) noexcept {
  free_returned();
  const std::size_t wanted = std::max(bytes + margin(), std::size_t{1});
  if (wanted > kSmallMax || alignment > kGrain) return take_large(bytes, alignment);
  const std::size_t size = size_for(wanted);
  if (lists[size] == nullptr && !refill(size)) return nullptr;
  free_block* const b = lists[size];
  permit(b, sizeof *b);
  lists[size] = b->next;
  forbid(b, sizeof *b);
  permit(b, bytes);
  return b;
}

}  // namespace

void open_heap() {
  const node::geometry& g = job::self().layout;
  RAMJET_CHECK(g.segment_bytes % kChunkBytes == 0, "a segment's size is not a multiple of chunks");
  void* const table = mmap(nullptr, g.segment_bytes / kChunkBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  RAMJET_CHECK(table != MAP_FAILED, "no address space for the table of the heap's chunks");
  sizes = static_cast<std::uint8_t*>(table);
  segment = address_of(segment_begin(job::self().rank));
  begin = g.window_base;
  bytes_in_all = g.segment_bytes;
  may_take = true;
  // What a forked child does to the segment's memory is its own, but the allocator is the parent's.
  pthread_atfork(nullptr, nullptr, close_heap);
}

void close_heap() noexcept { may_take = false; }

void* take(std::size_t bytes, std::size_t alignment) noexcept {
  if (!may_take) [[unlikely]]
    return nullptr;
  if (bytes - 1 >= kSmallMax || alignment > kGrain || margin() != 0) [[unlikely]]
    return take_slow(bytes, alignment);
  const std::size_t size = size_for(bytes);
  free_block* const b = lists[size];
  if (b == nullptr) [[unlikely]]
    return take_slow(bytes, alignment);
  lists[size] = b->next;
  return b;
}

std::size_t usable_bytes(const void* block) noexcept {
  if (!is_here(block)) return 0;
  const std::size_t size = size_at(block);
  if (size == 0) return header_of(block).bytes;
  const std::size_t usable = bytes_of(size - 1) - margin();
  permit(const_cast<void*>(block), usable);  // who asks may use them
  return usable;
}

bool give_back(void* block) noexcept {
  if (!is_here(block)) [[unlikely]]
    return false;
  if (may_take) [[likely]] {
    free_here(block);
    return true;
  }
  auto* const b = static_cast<free_block*>(block);
  permit(b, sizeof *b);
  b->next = returned.load(std::memory_order_relaxed);
  while (!returned.compare_exchange_weak(b->next, b,
                                         std::memory_order_release,  // pairs: splitc.returned
                                         std::memory_order_relaxed)) {
  }
  return true;
}

}  // namespace ramjet::splitc
