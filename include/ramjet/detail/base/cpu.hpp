// SPDX-License-Identifier: Apache-2.0
// The few processor idioms of the hot paths: relax, prefetch, inlining.
#pragma once

#define RAMJET_INLINE inline __attribute__((always_inline))
#define RAMJET_COLD __attribute__((noinline, cold))

#pragma GCC visibility push(default)

namespace ramjet::detail {

inline constexpr unsigned kCacheLineBytes = 64;

// Tells the core that this is a spin: one relax after an empty poll shortens the round trip,
// because the spinning reader disturbs the writer less.
RAMJET_INLINE void cpu_relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#else
  asm volatile("" ::: "memory");
#endif
}

// Asks for the line of `address` in a writable state.
RAMJET_INLINE void prefetch_write(const void* address) noexcept {
#if defined(__x86_64__)  // the builtin means a read unless the build names a processor
  asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1, 3);
#endif
}

// Asks for the line of `address` for reading.
RAMJET_INLINE void prefetch_read(const void* address) noexcept {
  __builtin_prefetch(address, 0, 3);
}

}  // namespace ramjet::detail

#pragma GCC visibility pop
