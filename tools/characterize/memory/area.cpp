// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/memory/area.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

#include "tools/characterize/memory/huge_pages.hpp"

namespace characterize {
namespace {

constexpr std::size_t kHugeBytes = std::size_t{2} << 20;

}  // namespace

area::area(std::size_t bytes, pages kind) : mapped_(bytes + kHugeBytes), bytes_(bytes) {
  void* memory = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::runtime_error("there is no memory of " + std::to_string(bytes) +
                             " bytes to measure with");
  mapping_ = static_cast<std::byte*>(memory);
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  begin_ = mapping_ + ((at + kHugeBytes - 1) / kHugeBytes * kHugeBytes - at);
  ::madvise(begin_, bytes_, kind == pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  std::memset(begin_, 0, bytes_);
  huge_ = kind == pages::huge && lies_in_huge_pages(begin_, bytes_);
}

area::~area() {
  if (mapping_ != nullptr) ::munmap(mapping_, mapped_);
}

}  // namespace characterize
