// SPDX-License-Identifier: Apache-2.0
#include "papers/study/cache/cache.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace study {

void check(const cache_shape& s) {
  const std::string name = std::to_string(s.bytes) + " bytes, " + std::to_string(s.ways) +
                           " ways, blocks of " + std::to_string(s.block_bytes);
  if (s.block_bytes == 0 || !std::has_single_bit(s.block_bytes))
    throw std::invalid_argument(name + ": a block has a power of two of bytes");
  if (s.ways == 0 || s.bytes == 0 || s.bytes % (s.ways * s.block_bytes) != 0 ||
      !std::has_single_bit(s.sets()))
    throw std::invalid_argument(name + ": the sets are not a power of two");
}

cache::cache(const cache_shape& shape, cache* behind) : shape_(shape), behind_(behind) {
  check(shape);
  block_bits_ = unsigned(std::countr_zero(shape.block_bytes));
  set_mask_ = shape.sets() - 1;
  lines_.resize(std::size_t{shape.sets()} * shape.ways);
}

bool cache::access(std::uint64_t address, std::uint32_t bytes, bool writes) {
  const std::uint64_t last = (address + std::max(bytes, 1u) - 1) >> block_bits_;
  bool missing = false;
  for (std::uint64_t block = address >> block_bits_; block <= last; ++block)
    missing |= touch(block, writes);
  return missing;
}

bool cache::touch(std::uint64_t block, bool writes) {
  line* const first = lines_.data() + (block & set_mask_) * shape_.ways;
  line* const end = first + shape_.ways;
  line* const at = std::find_if(first, end, [block](const line& l) { return l.block == block; });
  const bool missing = at == end;
  line now{block, writes || (!missing && at->dirty)};
  if (missing) {
    const line& oldest = end[-1];
    if (oldest.dirty) {
      ++counts_.write_backs;
      if (behind_ != nullptr) behind_->write(oldest.block << block_bits_, shape_.block_bytes);
    }
    if (behind_ != nullptr) behind_->read(block << block_bits_, shape_.block_bytes);
  }
  std::move_backward(first, missing ? end - 1 : at, missing ? end : at + 1);
  *first = now;
  return missing;
}

}  // namespace study
