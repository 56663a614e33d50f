// SPDX-License-Identifier: Apache-2.0
// Variables of each system thread that user-level threads access. A user-level thread may continue
// at another system thread after a call that blocks, and a compiler may compute the address of a
// thread_local once in a function and keep it across that call. On AArch64 each access here reads
// the thread's register. On x86-64 the model "initial-exec" makes each access relative to a segment
// register; code compiled with -fPIC would otherwise keep what __tls_get_addr returns.
#pragma once

#include <cstddef>

#include "ramjet/detail/base/cpu.hpp"

#pragma GCC visibility push(default)

namespace ramjet::detail {

#define RAMJET_TLS __attribute__((tls_model("initial-exec")))

// RAMJET_THREAD_OWN(variable, symbol): the running system thread's `variable`, whose name to the
// assembler is `symbol`. For the next access only: a reference to it is not kept.
#if defined(__aarch64__)
RAMJET_INLINE std::byte* thread_pointer() noexcept {
  std::byte* p;
  asm volatile("mrs\t%0, tpidr_el0" : "=r"(p));  // volatile: in each access, and in its place
  return p;
}
#define RAMJET_THREAD_OWN(variable, symbol)                                             \
  (*__extension__({                                                                     \
    std::ptrdiff_t offset;                                                              \
    asm("adrp\t%0, :gottprel:" symbol "\n\tldr\t%0, [%0, :gottprel_lo12:" symbol "]"    \
        : "=r"(offset));                                                                \
    reinterpret_cast<decltype(variable)*>(::ramjet::detail::thread_pointer() + offset); \
  }))
#else
#define RAMJET_THREAD_OWN(variable, symbol) (variable)
#endif

// Stands for the T that Find() finds, and is read and written like one.
template <class T, T& (*Find)() noexcept>
struct thread_word {
  RAMJET_INLINE operator T() const noexcept { return Find(); }
  RAMJET_INLINE T operator->() const noexcept { return Find(); }
  RAMJET_INLINE T operator=(T value) const noexcept { return Find() = value; }
};

}  // namespace ramjet::detail

#pragma GCC visibility pop
