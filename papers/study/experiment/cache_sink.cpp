// SPDX-License-Identifier: Apache-2.0
#include "papers/study/experiment/cache_sink.hpp"

#include <algorithm>

namespace study {
namespace {

// each(address, how many) for the blocks in which the instructions lie.
template <class Each>
void each_block(const traced& t, std::uint32_t block_bytes, Each each) {
  std::uint32_t at = t.address, left = t.count;
  while (left != 0) {
    const std::uint32_t here = std::min(left, (block_bytes - at % block_bytes) / kInstructionBytes);
    each(at, here);
    at += here * kInstructionBytes;
    left -= here;
  }
}

}  // namespace

void misses_by_region::take(const traced& t) {
  cache& of = t.does == access::fetch ? code_ : data_;
  const std::uint64_t before = of.counts().misses();
  if (t.does == access::fetch)
    each_block(t, of.shape().block_bytes, [&](std::uint32_t at, std::uint32_t count) {
      of.read(at, count * kInstructionBytes);
    });
  else
    t.does == access::read ? of.read(t.address, kWordBytes) : of.write(t.address, kWordBytes);
  misses_[static_cast<unsigned>(t.where)] += of.counts().misses() - before;
}

cache_sink::cache_sink(const sweep_range& range, const std::optional<cache_levels>& levels,
                       const std::optional<cache_shape>& by_region)
    : code_(range),
      data_(range),
      block_bytes_(*std::min_element(range.block_bytes.begin(), range.block_bytes.end())) {
  if (by_region) by_region_.emplace(*by_region);
  if (!levels) return;
  behind_.emplace(levels->behind);
  code_level_.emplace(levels->code, &*behind_);
  data_level_.emplace(levels->data, &*behind_);
  code_block_bytes_ = levels->code.block_bytes;
}

void cache_sink::fetch(const traced& t) {
  each_block(t, block_bytes_, [this](std::uint32_t at, std::uint32_t count) {
    code_.read(at);
    code_.read_again(count - 1);
  });
}

void cache_sink::fetch_level(const traced& t) {
  each_block(t, code_block_bytes_, [this](std::uint32_t at, std::uint32_t count) {
    code_level_->read(at, count * kInstructionBytes);
  });
}

void cache_sink::take(std::span<const traced> part) {
  for (const traced& t : part) {
    if (t.does == access::fetch)
      fetch(t);
    else
      t.does == access::read ? data_.read(t.address) : data_.write(t.address);
  }
  if (by_region_)
    for (const traced& t : part) by_region_->take(t);
  if (!behind_) return;
  for (const traced& t : part) {
    if (t.does == access::fetch)
      fetch_level(t);
    else
      t.does == access::read ? data_level_->read(t.address, kWordBytes)
                             : data_level_->write(t.address, kWordBytes);
  }
}

}  // namespace study
