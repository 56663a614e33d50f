// SPDX-License-Identifier: Apache-2.0
// What one thread has sent comes before what another of this process receives because of it: the
// way leads through other processes, where the thread sanitizer cannot follow, and is told here.
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace ramjet::channel {

#if defined(__SANITIZE_THREAD__)
inline char all_networks;
inline void note_sent() noexcept { __tsan_release(&all_networks); }
inline void note_received() noexcept { __tsan_acquire(&all_networks); }
#else
inline void note_sent() noexcept {}
inline void note_received() noexcept {}
#endif

}  // namespace ramjet::channel
