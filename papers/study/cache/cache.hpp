// SPDX-License-Identifier: Apache-2.0
// A cache as Spertus and Dally 1995, section 3.2, have it: sets with LRU replacement, allocation on
// reads and writes, write-back. It is told addresses and counts; it holds no data.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace study {

// All are powers of two but the ways, and bytes = sets * ways * block_bytes.
struct cache_shape {
  std::uint32_t bytes = 0;
  std::uint32_t ways = 0;
  std::uint32_t block_bytes = 0;

  std::uint32_t sets() const noexcept { return bytes / ways / block_bytes; }
  bool operator==(const cache_shape&) const = default;
};

// Throws std::invalid_argument, with a sentence, if there is no such cache.
void check(const cache_shape& shape);

// An access that lies in several blocks is one access, and one miss if any of them is missing.
struct access_counts {
  std::uint64_t reads = 0, read_misses = 0;
  std::uint64_t writes = 0, write_misses = 0;
  std::uint64_t write_backs = 0;  // of blocks

  std::uint64_t misses() const noexcept { return read_misses + write_misses; }
  bool operator==(const access_counts&) const = default;
};

// One cache. With another one behind it, that sees the misses as reads of blocks and what is
// written back as writes of blocks; it is not owned and outlives this.
class cache {
 public:
  explicit cache(const cache_shape& shape, cache* behind = nullptr);

  void read(std::uint64_t address, std::uint32_t bytes) {
    ++counts_.reads;
    counts_.read_misses += access(address, bytes, false);
  }
  void write(std::uint64_t address, std::uint32_t bytes) {
    ++counts_.writes;
    counts_.write_misses += access(address, bytes, true);
  }
  const access_counts& counts() const noexcept { return counts_; }
  const cache_shape& shape() const noexcept { return shape_; }

 private:
  struct line {
    std::uint64_t block = kNone;
    bool dirty = false;
  };
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};

  bool access(std::uint64_t address, std::uint32_t bytes, bool writes);
  bool touch(std::uint64_t block, bool writes);  // whether it was missing

  cache_shape shape_;
  cache* behind_;
  std::uint32_t block_bits_;
  std::uint64_t set_mask_;
  std::vector<line> lines_;  // set by set, the one used last first
  access_counts counts_;
};

}  // namespace study
