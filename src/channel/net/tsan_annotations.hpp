// SPDX-License-Identifier: Apache-2.0
// What one thread has sent happens before what another of this process receives because of it. The
// order comes by way of other processes, where the thread sanitizer cannot see it: these
// annotations state it.
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
