// SPDX-License-Identifier: Apache-2.0
#include "bin_store.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "super_kmer.hpp"

namespace kmer {
namespace {

constexpr std::size_t kSlabBytes = std::size_t{2} << 20;  // a huge page
constexpr std::size_t kSmallSlabBytes = std::size_t{256} << 10;
constexpr std::uint64_t kFewBytes = 512 * 1024;
constexpr std::size_t kRoom = bin_store::kChunkBytes - super_kmer::kSlack;
constexpr std::size_t kSpilledAtOnce = 64;  // chunks: a megabyte for each system call

}  // namespace

bin_store::bin_store(std::size_t bins, std::uint64_t memory_bytes, std::string folder,
                     std::uint64_t expected_bytes)
    : bins_(bins),
      slab_bytes_(expected_bytes < kFewBytes ? kSmallSlabBytes : kSlabBytes),
      slabs_max_(std::max<std::uint64_t>(1, memory_bytes / slab_bytes_)),
      file_(std::move(folder)),
      loaded_(kChunkBytes) {}

void bin_store::append(std::size_t bin, const char* records, std::size_t bytes,
                       std::uint64_t kmers) {
  if (!problem().empty()) return;
  bin_record& b = bins_[bin];
  if (b.chunks.empty() || b.chunks.back().bytes + bytes > kRoom) {
    if (!b.chunks.empty()) full_.emplace_back(bin, b.chunks.size() - 1);
    b.chunks.push_back({new_chunk(), 0, 0});
  }
  chunk& c = b.chunks.back();
  std::memcpy(c.memory + c.bytes, records, bytes);
  c.bytes += static_cast<std::uint32_t>(bytes);
  b.bytes += bytes;
  bytes_ += bytes;
  b.kmers += kmers;
}

char* bin_store::new_chunk() {
  if (free_.empty() && slabs_.size() >= slabs_max_ && full_.size() >= kSpilledAtOnce) spill();
  if (free_.empty()) {
    char* at = reinterpret_cast<char*>(slabs_.emplace_back(slab_bytes_ / 8).data());
    for (std::size_t n = slab_bytes_ / kChunkBytes; n-- > 0;) free_.push_back(at + n * kChunkBytes);
  }
  char* taken = free_.back();
  free_.pop_back();
  return taken;
}

// Moves the oldest full chunks to the file.
void bin_store::spill() {
  const std::size_t number = std::min(kSpilledAtOnce, full_.size());
  std::vector<iovec> pieces;
  std::uint64_t offset = file_.bytes();
  for (std::size_t i = 0; i < number; ++i) {
    chunk& c = bins_[full_[i].first].chunks[full_[i].second];
    pieces.push_back({c.memory, c.bytes});
  }
  if (!file_.append(pieces)) return;
  for (std::size_t i = 0; i < number; ++i, full_.pop_front()) {
    chunk& c = bins_[full_.front().first].chunks[full_.front().second];
    free_.push_back(std::exchange(c.memory, nullptr));
    c.offset = std::exchange(offset, offset + c.bytes);
  }
}

void bin_store::release(std::size_t bin) {
  for (const chunk& c : bins_[bin].chunks) {
    if (c.memory != nullptr) free_.push_back(c.memory);
  }
  bins_[bin] = {};
}

}  // namespace kmer
