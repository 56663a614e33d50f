// SPDX-License-Identifier: Apache-2.0
// A trace into caches: separate ones for code and data, of all shapes of a sweep at once; a pair in
// front of a second level, as processors of today have them; and a pair that tells misses apart by
// region.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "papers/study/cache/cache.hpp"
#include "papers/study/cache/cache_sweep.hpp"
#include "papers/study/machine/trace.hpp"

namespace study {

// Both first levels miss into the second one.
struct cache_levels {
  cache_shape code, data, behind;
};

// Of a pair of caches; each region is in one of them.
class misses_by_region {
 public:
  explicit misses_by_region(const cache_shape& shape) : code_(shape), data_(shape) {}

  void take(const traced& t);
  std::uint64_t of(region r) const { return misses_[static_cast<unsigned>(r)]; }

 private:
  cache code_, data_;
  std::array<std::uint64_t, kRegions> misses_ = {};
};

class cache_sink : public trace_sink {
 public:
  cache_sink(const sweep_range& range, const std::optional<cache_levels>& levels,
             const std::optional<cache_shape>& by_region);

  void take(std::span<const traced> part) override;

  const cache_sweep& code() const { return code_; }
  const cache_sweep& data() const { return data_; }
  // Of the levels, where there are some.
  const access_counts& code_level() const { return code_level_->counts(); }
  const access_counts& data_level() const { return data_level_->counts(); }
  const access_counts& level_behind() const { return behind_->counts(); }
  // Of the pair that tells regions apart, where there is one.
  const misses_by_region& by_region() const { return *by_region_; }

 private:
  void fetch(const traced& t);
  void fetch_level(const traced& t);

  cache_sweep code_, data_;
  std::uint32_t block_bytes_;  // of the sweep, the smallest
  std::optional<cache> behind_, code_level_, data_level_;
  std::optional<misses_by_region> by_region_;
  std::uint32_t code_block_bytes_ = 0;
};

}  // namespace study
