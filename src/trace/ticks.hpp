// SPDX-License-Identifier: Apache-2.0
// The processor's clock: the cheapest time there is, the same in all processes of a machine.
#pragma once

#include <cstdint>

#include "base/clock.hpp"

namespace ramjet::trace {

// The ticks of all cores of a machine agree. But a processor may read its clock while what stands
// before is still on its way from another core: times of two processes agree only to within this.
inline constexpr std::uint64_t kClockErrorNs = 1000;

inline std::uint64_t ticks_now() noexcept {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  std::uint64_t ticks;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return base::now_ns();
#endif
}

}  // namespace ramjet::trace
