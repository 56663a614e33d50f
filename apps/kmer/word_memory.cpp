// SPDX-License-Identifier: Apache-2.0
#include "word_memory.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

#include "failure.hpp"

namespace kmer {
namespace {

// A fifth of the time of a whole count would go into small pages: faults, and misses of the TLB.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

bool is_huge(std::size_t bytes) { return bytes >= kHugePage; }

// The mapping for so many words.
std::size_t bytes_for(std::uint64_t words) {
  const std::size_t bytes = words * sizeof(std::uint64_t);
  return is_huge(bytes) ? (bytes + kHugePage - 1) / kHugePage * kHugePage : bytes;
}

[[noreturn]] void fail(std::size_t bytes) {
  std::fprintf(stderr, "kmer: out of memory: no room for a table of %zu MiB\n", bytes >> 20);
  std::_Exit(kExitFailure);
}

// Addresses of `bytes`, a multiple of a huge page, from where a huge page begins.
char* map_aligned(std::size_t bytes, int protection) {
  void* mapped = mmap(nullptr, bytes + kHugePage, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) fail(bytes);
  char* const all = static_cast<char*>(mapped);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(mapped) % kHugePage;
  if (before > 0) munmap(all, before);
  munmap(all + before + bytes, kHugePage - before);
  return all + before;
}

}  // namespace

word_memory::word_memory(std::uint64_t words) : bytes_(bytes_for(words)) {
  if (is_huge(bytes_)) {
    words_ = reinterpret_cast<std::uint64_t*>(map_aligned(bytes_, PROT_READ | PROT_WRITE));
    madvise(words_, bytes_, MADV_HUGEPAGE);
    return;
  }
  void* mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) fail(bytes_);
  words_ = static_cast<std::uint64_t*>(mapped);
}

void word_memory::grow(std::uint64_t words) {
  const std::size_t bytes = bytes_for(words);
  if (bytes <= bytes_) return;
  if (bytes_ == 0 || is_huge(bytes) != is_huge(bytes_)) {
    // A huge page cannot take the place of small ones that are there.
    const word_memory old = std::exchange(*this, word_memory(words));
    if (old.bytes_ > 0) std::memcpy(words_, old.words_, old.bytes_);
    return;
  }
  // The pages move to other addresses, where there is room behind them.
  void* const moved = is_huge(bytes) ? mremap(words_, bytes_, bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
                                              map_aligned(bytes, PROT_NONE))
                                     : mremap(words_, bytes_, bytes, MREMAP_MAYMOVE);
  if (moved == MAP_FAILED) fail(bytes);
  words_ = static_cast<std::uint64_t*>(moved);
  bytes_ = bytes;
}

word_memory::~word_memory() {
  if (words_ != nullptr) munmap(words_, bytes_);
}

}  // namespace kmer
