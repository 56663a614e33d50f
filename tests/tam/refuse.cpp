// SPDX-License-Identifier: Apache-2.0
#include "refuse.h"

#include <cstdlib>
#include <new>
#include <utility>

namespace {
thread_local bool refused = false;
}

void refuse_memory_once(void) { refused = true; }

void* operator new(std::size_t bytes) {
  void* const p = std::exchange(refused, false) ? nullptr : std::malloc(bytes);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
