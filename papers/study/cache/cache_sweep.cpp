// SPDX-License-Identifier: Apache-2.0
#include "papers/study/cache/cache_sweep.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace study {

cache_sweep::cache_sweep(const sweep_range& range)
    : bytes_min_(range.bytes_min), bytes_max_(range.bytes_max) {
  for (const std::uint32_t block_bytes : range.block_bytes) {
    check({bytes_min_, kWays.back(), block_bytes});
    check({bytes_max_, kWays.front(), block_bytes});
    group g{.block_bits = unsigned(std::countr_zero(block_bytes))};
    const std::uint32_t most = bytes_max_ / block_bytes / kWays.front();
    for (std::uint32_t sets = bytes_min_ / block_bytes / kWays.back(); sets <= most; sets *= 2)
      g.families.push_back({block_bytes, sets, std::vector<entry>(std::size_t{sets} * kDepth)});
    groups_.push_back(std::move(g));
  }
}

// The blocks before it grow one older. A block that leaves a cache by that is written back if it is
// dirty there; one that stays in the list beyond is clean in that cache, should it come back.
void cache_sweep::bring_first(family& f, std::uint64_t block, bool writes) {
  entry* const list = &f.lists[(block & (f.sets - 1)) * kDepth];
  unsigned found = 0;
  while (found < kDepth && list[found].block != block) ++found;
  entry now{block, found < kDepth ? list[found].dirty : 0};
  for (unsigned i = 0; i < kWays.size(); ++i) {
    if (found < kWays[i]) continue;  // a hit
    ++(writes ? f.tallies[i].write_misses : f.tallies[i].read_misses);
    entry& leaves = list[kWays[i] - 1];
    f.tallies[i].write_backs += leaves.dirty >> i & 1;
    leaves.dirty &= ~(std::uint64_t{1} << i);
  }
  for (unsigned i = std::min(found, kDepth - 1); i > 0; --i) list[i] = list[i - 1];
  if (writes) now.dirty = kAllDirty;
  list[0] = now;
}

const cache_sweep::family* cache_sweep::find(const cache_shape& shape) const {
  if (shape.bytes < bytes_min_ || shape.bytes > bytes_max_) return nullptr;
  for (const group& g : groups_)
    for (const family& f : g.families)
      if (f.block_bytes == shape.block_bytes && f.sets == shape.sets()) return &f;
  return nullptr;
}

access_counts cache_sweep::of(const cache_shape& shape) const {
  check(shape);
  const family* const f = find(shape);
  const auto* const way = std::find(kWays.begin(), kWays.end(), shape.ways);
  if (f == nullptr || way == kWays.end())
    throw std::out_of_range("a cache of this shape is not in the sweep");
  const tally& t = f->tallies[std::size_t(way - kWays.begin())];
  return {reads_, t.read_misses, writes_, t.write_misses, t.write_backs};
}

std::vector<cache_shape> cache_sweep::shapes() const {
  std::vector<cache_shape> found;
  for (const group& g : groups_)
    for (const std::uint32_t ways : kWays)
      for (std::uint32_t bytes = bytes_min_; bytes <= bytes_max_; bytes *= 2)
        found.push_back({bytes, ways, g.families.front().block_bytes});
  return found;
}

}  // namespace study
