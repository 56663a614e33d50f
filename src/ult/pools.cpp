// SPDX-License-Identifier: Apache-2.0
// Where the workers' lists of free blocks come from, and go to when they grow too long: a worker
// that only ends threads would gather the blocks that another one needs to make them.
#include "ult/pools.hpp"

#include <cstring>
#include <mutex>
#include <new>
#include <vector>

#include "ramjet/ult/detail/blocks.hpp"

namespace ramjet::ult::detail {

constinit descriptor thread_1{};

// By these names gdb finds the threads (tools/gdb/ramjet-gdb.py).
struct slab {
  slab* next = nullptr;
  descriptor* blocks = nullptr;
  std::uint32_t count = 0;
};
constinit slab first_slab{nullptr, &thread_1, 1};
constinit std::atomic<slab*> descriptor_slabs{&first_slab};

namespace {

constexpr unsigned kKinds = kBlockClasses + 1;
constexpr std::uint32_t kSlabBlocks = 512;

std::size_t bytes_of(unsigned kind) {
  return kind == kDescriptors ? sizeof(descriptor) : kBlockBytesMin << kind;
}

struct depot {
  std::mutex lock;
  std::vector<linked*> chains;  // of kBatch blocks
};

depot& shared(unsigned kind) {
  static depot* depots = new depot[kKinds];  // workers may outlive the end of main
  return depots[kind];
}

void remember(std::byte* blocks) {
  auto* s = new slab{descriptor_slabs.load(std::memory_order_relaxed),
                     reinterpret_cast<descriptor*>(blocks), kSlabBlocks};
  // pairs: ult.slabs
  while (!descriptor_slabs.compare_exchange_weak(s->next, s, std::memory_order_release,
                                                 std::memory_order_relaxed)) {
  }
}

}  // namespace

void refill(free_list& list, unsigned kind) {
  if (list.spare != nullptr) {
    list.first = std::exchange(list.spare, nullptr);
    list.count = kBatch;
    return;
  }
  depot& d = shared(kind);
  {
    const std::lock_guard hold(d.lock);
    if (!d.chains.empty()) {
      list.first = d.chains.back();
      list.count = kBatch;
      d.chains.pop_back();
      return;
    }
  }
  const std::size_t bytes = bytes_of(kind);
  auto* blocks = static_cast<std::byte*>(
      ::operator new(kSlabBlocks * bytes, std::align_val_t{kCacheLineBytes}));
  std::memset(static_cast<void*>(blocks), 0, kSlabBlocks * bytes);
  for (std::uint32_t i = kSlabBlocks; i-- > 0;)
    list.first = ::new (blocks + i * bytes) linked{list.first};
  list.count = kSlabBlocks;
  if (kind == kDescriptors) remember(blocks);
}

void shrink(free_list& list, unsigned kind) {
  if (list.spare != nullptr) {
    depot& d = shared(kind);
    const std::lock_guard hold(d.lock);
    d.chains.push_back(list.spare);
  }
  list.spare = std::exchange(list.first, nullptr);
  list.count = 0;
}

#if defined(__SANITIZE_THREAD__)
__attribute__((no_sanitize("thread")))  // d.id, which other workers change
#endif
void
visit_descriptors(void (*visit)(const descriptor&, void*), void* argument) noexcept {
  // pairs: ult.slabs
  for (const slab* s = descriptor_slabs.load(std::memory_order_acquire); s; s = s->next)
    for (std::uint32_t i = 0; i < s->count; ++i)
      if (s->blocks[i].id != 0) visit(s->blocks[i], argument);
}

}  // namespace ramjet::ult::detail
