// SPDX-License-Identifier: Apache-2.0
#include "word_memory.hpp"

#include <cstdio>
#include <cstdlib>

#include <sys/mman.h>

#include "failure.hpp"

namespace kmer {

// A fifth of the time of a whole count would go into small pages: faults, and misses of the TLB.
constexpr std::size_t kHugePage = std::size_t{2} << 20;

word_memory::word_memory(std::uint64_t words) {
  const std::size_t bytes = words * sizeof(std::uint64_t);
  const bool huge = bytes >= kHugePage;
  mapped_bytes_ = bytes + (huge ? kHugePage : 0);
  mapped_ =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped_ == MAP_FAILED) {
    std::fprintf(stderr, "kmer: out of memory: no room for a table of %zu MiB\n", bytes >> 20);
    std::_Exit(kExitFailure);
  }
  words_ = static_cast<std::uint64_t*>(mapped_);
  if (huge) {
    const auto at = reinterpret_cast<std::uintptr_t>(mapped_);
    words_ = reinterpret_cast<std::uint64_t*>((at + kHugePage - 1) / kHugePage * kHugePage);
    madvise(words_, bytes, MADV_HUGEPAGE);
  }
}

word_memory::~word_memory() {
  if (mapped_ != nullptr) munmap(mapped_, mapped_bytes_);
}

}  // namespace kmer
