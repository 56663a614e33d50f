// SPDX-License-Identifier: Apache-2.0
// How messages to the user begin: "ramjet: rank 3", or "ramjet" before the rank is known.
#pragma once

namespace ramjet::base {

// Set once, when the job is joined. Main thread, before other threads talk.
void set_this_rank(int rank) noexcept;

// Valid until the calling thread's next call.
const char* process_label() noexcept;

}  // namespace ramjet::base
