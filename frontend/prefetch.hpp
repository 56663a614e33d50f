// SPDX-License-Identifier: Apache-2.0
// Asks the processor for memory that is looked at soon, so that it comes while something else is
// done. The addresses may be any.
#ifndef FRONTEND_PREFETCH_HPP
#define FRONTEND_PREFETCH_HPP

#include <cstddef>
#include <cstdint>

namespace frontend {

inline void prefetch(const void* first, std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  const auto at = reinterpret_cast<std::uintptr_t>(first);
  for (std::uintptr_t line = at & ~(kLine - 1); line < at + bytes; line += kLine)
    __builtin_prefetch(reinterpret_cast<const void*>(line));
}

}  // namespace frontend

#endif
