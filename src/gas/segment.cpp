// SPDX-License-Identifier: Apache-2.0
// This rank's segment and the allocator on its own part (division.hpp): Boost.Interprocess's best
// fit. It touches a page only when memory from that page is given out. The starts of the blocks
// that are out stand beside it, in private memory: the allocator believes whatever address it is
// given back.
// Owned by the rank's one allocating thread.
#include "ramjet/segment.hpp"

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>

#include <initializer_list>
#include <new>

#include "am/runtime.hpp"
#include "base/no_destroy.hpp"
#include "gas/address_set.hpp"
#include "gas/division.hpp"
#include "job/join.hpp"
#include "ramjet/detail/base/check.hpp"
#include "ramjet/detail/gas/global_bits.hpp"

namespace ramjet {

namespace {

using allocator = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>;

// The allocator's own state leads the segment, behind what the program has there; made on first
// use.
class own_part {
 public:
  allocator& memory() {
    const job::membership& m = job::self();
    RAMJET_CHECK(m.shared != nullptr, "segment memory outside a job: ramjet::init comes first");
    if (made_ == nullptr)
      made_ = new (segment_begin(m.rank) + begin()) allocator(floor() - begin(), 0);
    return *made_;
  }
  std::uint64_t end() { return begin() + memory().get_size(); }
  std::uint64_t floor() const noexcept { return floor_ != 0 ? floor_ : gas::first_floor(); }
  std::uint64_t ceiling() const noexcept { return floor_ != 0 ? ceiling_ : segment_bytes(); }
  bool held() const noexcept { return held_; }

  // Whether it grew, and has room for `wanted` bytes if they are free in one piece.
  bool grow_to(std::uint64_t limit, std::size_t wanted) {
    const std::uint64_t now = end();
    if (held_ || limit <= now || memory().get_free_memory() + (limit - now) < wanted) return false;
    memory().grow(limit - now);
    return true;
  }
  // As small as can be, but not below the limit.
  void shrink_to(std::uint64_t limit) {
    memory().shrink_to_fit();
    if (const std::uint64_t now = end(); now < limit) memory().grow(limit - now);
  }

  void divide(std::uint64_t floor, std::uint64_t ceiling) noexcept {
    floor_ = floor;
    ceiling_ = ceiling;
  }
  void hold(bool held) noexcept { held_ = held; }

 private:
  static std::uint64_t begin() noexcept { return job::self().layout.program_bytes; }

  allocator* made_ = nullptr;
  std::uint64_t floor_ = 0, ceiling_ = 0;  // 0: as at first
  bool held_ = false;
};
constinit own_part own;

// The starts of the blocks that are out. They may be given back by what is destroyed after it.
constinit base::no_destroy<gas::address_set> blocks_out;

std::uint64_t address_of(const void* memory) noexcept {
  return std::uint64_t(reinterpret_cast<std::uintptr_t>(memory));
}

// A block of the allocator's goes out; null if there is no memory to note that.
void* give_out(void* block) noexcept {
  if (blocks_out.value.insert(address_of(block))) return block;
  own.memory().deallocate(block);
  return nullptr;
}

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  void* const block = own.memory().allocate_aligned(bytes, alignment);
  return block == nullptr ? nullptr : give_out(block);
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
  static_cast<void>(own.memory());  // outside a job this ends the process
  if (bytes > segment_bytes()) return nullptr;
  const std::size_t wanted = bytes == 0 ? 1 : bytes;
  const std::size_t aligned = alignment < 16 ? 16 : alignment;
  void* memory = allocate(wanted, aligned);
  for (const std::uint64_t limit : {own.floor(), own.ceiling()})
    if (memory == nullptr && own.grow_to(limit, wanted)) memory = allocate(wanted, aligned);
  if (memory == nullptr && !own.held()) own.shrink_to(own.floor());
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
  own.memory().deallocate(memory);
}

std::uint64_t gas::first_floor() noexcept {
  const std::uint64_t before = job::self().layout.program_bytes;
  return before + node::page_up((segment_bytes() - before) / 2);
}

void gas::divide_segment(std::uint64_t floor, std::uint64_t ceiling) noexcept {
  own.divide(floor, ceiling);
}

bool gas::own_part_keeps_to(std::uint64_t floor) noexcept {
  if (own.end() > floor && !own.held()) own.shrink_to(floor);
  return own.end() <= floor;
}

std::uint64_t gas::hold_own_part() noexcept {
  own.shrink_to(0);
  own.hold(true);
  return own.end();
}

void gas::release_own_part() noexcept { own.hold(false); }

}  // namespace ramjet
