// SPDX-License-Identifier: Apache-2.0
// What the sanitizers are told of stacks, of switches and of the order between workers. The library
// itself may be compiled without them: the process decides (base/instrumentation.hpp).
#pragma once

#include "base/instrumentation.hpp"
#include "ramjet/ult/detail/control.hpp"

namespace ramjet::ult::detail {

// Whether each switch has to be announced.
inline bool announces_switches() noexcept {
  return base::is_present(base::address_sanitizer | base::thread_sanitizer);
}
// As switch_context, where announces_switches().
void announced_switch(control* from, control* to) noexcept;
// First thing on a stack that was switched to for the first time.
void arrived() noexcept;

// For a new stack; for that of the calling system thread.
void announce_stack(control* c) noexcept;
void announce_system_stack(control* c) noexcept;
// The stack's frames were left without returning.
void forget_frames_slow(control* c) noexcept;
inline void forget_frames(control* c) noexcept {
  if (base::is_present(base::address_sanitizer)) [[unlikely]]
    forget_frames_slow(c);
}

// The order that the library's atomic accesses establish (base::note_release, note_acquire). A
// library that is compiled with the thread sanitizer shows that order by itself, and is checked.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool kShowsOrder = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool kShowsOrder = true;
#else
inline constexpr bool kShowsOrder = false;
#endif
#else
inline constexpr bool kShowsOrder = false;
#endif
inline void note_release(const void* at) noexcept {
  if constexpr (!kShowsOrder) base::note_release(at);
}
inline void note_acquire(const void* at) noexcept {
  if constexpr (!kShowsOrder) base::note_acquire(at);
}

}  // namespace ramjet::ult::detail
