// SPDX-License-Identifier: Apache-2.0
// This rank's segment and the allocator on it: Boost.Interprocess's best fit over the rank's own
// part of the mapping. It touches a page only when memory from that page is given out.
#include "ramjet/segment.hpp"

#include <boost/interprocess/mem_algo/rbtree_best_fit.hpp>
#include <boost/interprocess/sync/mutex_family.hpp>

#include <new>

#include "am/runtime.hpp"
#include "job/join.hpp"
#include "ramjet/detail/check.hpp"

namespace ramjet {

namespace {

using allocator = boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>;

// The allocator's own state leads the segment; made on first use.
allocator& own_allocator() {
  const job::membership& m = job::self();
  RAMJET_CHECK(m.shared != nullptr, "segment memory outside a job: ramjet::init comes first");
  static allocator* made = nullptr;
  if (made == nullptr) made = new (segment_begin(m.rank)) allocator(m.layout.segment_bytes, 0);
  return *made;
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
  const job::geometry& g = job::self().layout;
  if (g.segment_bytes == 0) return -1;
  const std::uint64_t rank =
      (reinterpret_cast<std::uintptr_t>(address) - g.segment_base) / g.segment_bytes;
  return rank < g.ranks ? int(rank) : -1;
}

void* segment_allocate(std::size_t bytes, std::size_t alignment) {
  RAMJET_CHECK(alignment != 0 && (alignment & (alignment - 1)) == 0,
               "segment_allocate: the alignment is no power of two");
  allocator& own = own_allocator();
  if (bytes > segment_bytes()) return nullptr;
  return own.allocate_aligned(bytes == 0 ? 1 : bytes, alignment < 16 ? 16 : alignment);
}

void segment_free(void* memory) noexcept {
  if (memory == nullptr) return;
  RAMJET_CHECK(segment_owner(memory) == job::self().rank,
               "segment_free: the memory is not of this rank's segment");
  own_allocator().deallocate(memory);
}

}  // namespace ramjet
