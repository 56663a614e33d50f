// SPDX-License-Identifier: Apache-2.0
// What one thread has sent happens before what another of this process receives because of it. The
// order comes by way of other processes, where the thread sanitizer cannot see it: these
// annotations state it.
#pragma once

#include "base/instrumentation.hpp"

namespace ramjet::channel {

inline char all_networks;
inline void note_sent() noexcept { base::note_release(&all_networks); }
inline void note_received() noexcept { base::note_acquire(&all_networks); }

}  // namespace ramjet::channel
