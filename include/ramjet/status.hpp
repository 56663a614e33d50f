// SPDX-License-Identifier: Apache-2.0
// What an operation came to. A value, which crosses handlers and the progress loop. Only what waits
// for a result of another type throws failure (job.hpp) where there is none.
#pragma once

#pragma GCC visibility push(default)

namespace ramjet {

enum class status : int {
  ok = 0,
  retry,  // no room just now; nothing was reserved or sent
  peer_failed,  // a rank died; last_failure() names it
  bad_rank,  // rank or endpoint outside the job
  too_large,  // payload over medium_bytes_max
  bad_address,  // a long message's destination lies outside the target's segment
  no_memory,  // an allocation, or a named limit, ran out
  timed_out,  // a deadline passed
  mismatch,  // the ranks do not run the same program or the same build
  environment,  // the job could not be set up; the message says what to do
};

// A short text for a status, never null.
const char* to_string(status s) noexcept;

}  // namespace ramjet

#pragma GCC visibility pop
