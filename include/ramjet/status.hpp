// SPDX-License-Identifier: Apache-2.0
// The outcome of an operation: a value, passed through handlers and the progress loop. Only waits
// for a result of another type throw failure (job.hpp), if there is no result.
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
