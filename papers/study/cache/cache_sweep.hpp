// SPDX-License-Identifier: Apache-2.0
// Many caches over one trace at once: all sizes between two, with 1, 2 and 4 ways, of several block
// sizes. It counts what a study::cache of each shape would, at about the cost of one.
//
// For one block size and number of sets, one list for each set, of the blocks used last, serves all
// numbers of ways: a cache of w ways holds the first w (LRU; Mattson et al. 1970). A block that is
// first in its list is first in that of every larger number of sets, too, so an access looks at the
// smallest number of sets first, and ends where its block stands first (Hill and Smith 1989).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "papers/study/cache/cache.hpp"

namespace study {

struct sweep_range {
  std::uint32_t bytes_min = 1024, bytes_max = 128 * 1024;
  std::vector<std::uint32_t> block_bytes = {8, 16, 32, 64};
};

class cache_sweep {
 public:
  static constexpr std::array<std::uint32_t, 3> kWays = {1, 2, 4};

  // Throws std::invalid_argument if a size is not a power of two, or the least one holds no four
  // blocks.
  explicit cache_sweep(const sweep_range& range = {});

  // Access to one word, which lies in one block of every size.
  void read(std::uint64_t address) {
    ++reads_;
    touch(address, false);
  }
  void write(std::uint64_t address) {
    ++writes_;
    touch(address, true);
  }

  // Further reads of the block (of the smallest size) last accessed.
  void read_again(std::uint64_t count) { reads_ += count; }

  // Throws std::out_of_range if the shape is not in the range.
  access_counts of(const cache_shape& shape) const;
  std::vector<cache_shape> shapes() const;  // all that are in the range

 private:
  static constexpr unsigned kDepth = 4;  // the most ways
  static constexpr unsigned kAllDirty = 7;  // bit i: in the cache of kWays[i]
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  struct entry {
    std::uint64_t block = kNone;
    std::uint64_t dirty = 0;
  };
  struct tally {
    std::uint64_t read_misses = 0, write_misses = 0, write_backs = 0;
  };
  // All caches of one block size and one number of sets.
  struct family {
    std::uint32_t block_bytes, sets;
    std::vector<entry> lists = {};  // kDepth a set
    std::array<tally, kWays.size()> tallies = {};
  };
  // The families of one block size, the smallest first.
  struct group {
    std::uint32_t block_bits;
    std::vector<family> families = {};
  };

  void touch(std::uint64_t address, bool writes) {
    for (group& g : groups_)
      for (family& f : g.families)
        if (access(f, address >> g.block_bits, writes)) break;
  }
  // Whether all larger families would only see what stands first, and is dirty if this writes.
  static bool access(family& f, std::uint64_t block, bool writes) {
    const entry& first = f.lists[(block & (f.sets - 1)) * kDepth];
    if (first.block == block && (!writes || first.dirty == kAllDirty)) [[likely]]
      return true;
    bring_first(f, block, writes);
    return false;
  }
  static void bring_first(family& f, std::uint64_t block, bool writes);
  const family* find(const cache_shape& shape) const;

  std::vector<group> groups_;
  std::uint32_t bytes_min_, bytes_max_;
  std::uint64_t reads_ = 0, writes_ = 0;
};

}  // namespace study
