// SPDX-License-Identifier: Apache-2.0
// This rank's segment and the allocator on it: Boost.Interprocess's best fit over the lower half,
// and over the upper if that is needed while nothing symmetric stands there. It touches a page only
// when memory from that page is given out. The starts of the blocks that are out stand beside it,
// in private memory: the allocator believes whatever address it is given back.
// Owned by the rank's one allocating thread.
#include "ramjet/segment.hpp"

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>

#include <new>

#include "am/runtime.hpp"
#include "base/no_destroy.hpp"
#include "gas/address_set.hpp"
#include "gas/upper_half.hpp"
#include "job/join.hpp"
#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/gas/global_bits.hpp"

namespace ramjet {

namespace {

using allocator = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>;

enum class owner { nobody, symmetric, segment_allocate };
owner of_upper_half = owner::nobody;

// The allocator's own state leads the segment, behind what the program has there; made on first
// use.
allocator& own_allocator() {
  const job::membership& m = job::self();
  RAMJET_CHECK(m.shared != nullptr, "segment memory outside a job: ramjet::init comes first");
  static allocator* made = nullptr;
  const std::uint64_t before = m.layout.program_bytes;
  if (made == nullptr)
    made = new (segment_begin(m.rank) + before) allocator(gas::lower_half_bytes() - before, 0);
  return *made;
}

// The starts of the blocks that are out. They may be given back by what is destroyed after it.
constinit base::no_destroy<gas::address_set> blocks_out;

std::uint64_t address_of(const void* memory) noexcept {
  return std::uint64_t(reinterpret_cast<std::uintptr_t>(memory));
}

// A block of the allocator's goes out; null if there is no memory to note that.
void* give_out(void* block) noexcept {
  if (blocks_out.value.insert(address_of(block))) return block;
  own_allocator().deallocate(block);
  return nullptr;
}

void* allocate(allocator& own, std::size_t bytes, std::size_t alignment) noexcept {
  void* const block = own.allocate_aligned(bytes, alignment);
  return block == nullptr ? nullptr : give_out(block);
}

// Adds the upper half to the allocator; false if it is taken, or both together have too little.
bool take_upper_half(allocator& own, std::size_t wanted) noexcept {
  const std::size_t more = segment_bytes() - gas::lower_half_bytes();
  if (of_upper_half != owner::nobody || more == 0) return false;
  if (own.get_free_memory() + more < wanted) return false;
  own.grow(more);
  of_upper_half = owner::segment_allocate;
  return true;
}
// Nothing was allocated there.
void give_back_upper_half(allocator& own) noexcept {
  own.shrink_to_fit();  // by what is free at the end of the lower half, too
  own.grow(gas::lower_half_bytes() - job::self().layout.program_bytes - own.get_size());
  of_upper_half = owner::nobody;
}

}  // namespace

std::size_t segment_bytes() noexcept { return job::self().layout.segment_bytes; }

std::byte* segment_begin(int rank) {
  const job::membership& m = job::self();
  RAMJET_CHECK(m.shared != nullptr && unsigned(rank) < m.ranks, "segment_begin: no such rank");
  return reinterpret_cast<std::byte*>(m.layout.segment_base +
                                      std::uint64_t(unsigned(rank)) * m.layout.segment_bytes);
}

int segment_owner(const void* address) noexcept {
  const node::geometry& g = job::self().layout;
  if (g.segment_bytes == 0) return -1;
  const std::uint64_t at = address_of(address);
  if (at - g.window_base < g.segment_bytes) return job::self().rank;
  const std::uint64_t rank = (at - g.segment_base) / g.segment_bytes;
  return rank < g.ranks ? int(rank) : -1;
}

void* segment_allocate(std::size_t bytes, std::size_t alignment) {
  RAMJET_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0,
               "segment_allocate: the alignment is not a power of two");
  allocator& own = own_allocator();
  if (bytes > segment_bytes()) return nullptr;
  const std::size_t wanted = bytes == 0 ? 1 : bytes;
  const std::size_t aligned = alignment < 16 ? 16 : alignment;
  void* memory = allocate(own, wanted, aligned);
  if (memory != nullptr || !take_upper_half(own, wanted)) return memory;
  memory = allocate(own, wanted, aligned);
  if (memory == nullptr) give_back_upper_half(own);
  return memory;
}

void segment_free(void* memory) noexcept {
  if (memory == nullptr) return;
  RAMJET_CHECK(segment_owner(memory) == job::self().rank,
               "segment_free: the memory is not of this rank's segment");
  // The allocator knows it by its address among the segments, the program perhaps by the window's.
  const detail::address_space& space = detail::space;
  const std::uint64_t in_window = address_of(memory) - space.window_base;
  if (in_window < space.segment_bytes) memory = segment_begin(job::self().rank) + in_window;
  RAMJET_CHECK(blocks_out.value.erase(address_of(memory)),
               "segment_free: segment_allocate has not returned this address, or it was given back "
               "before");
  own_allocator().deallocate(memory);
}

std::uint64_t gas::lower_half_bytes() noexcept {
  const std::uint64_t before = job::self().layout.program_bytes;
  return before + node::page_up((segment_bytes() - before) / 2);
}

bool gas::keep_upper_half() noexcept {
  if (of_upper_half == owner::nobody) of_upper_half = owner::symmetric;
  return of_upper_half == owner::symmetric;
}

}  // namespace ramjet
