// SPDX-License-Identifier: Apache-2.0
#include "ramjet/status.hpp"

namespace ramjet {

const char* to_string(status s) noexcept {
  switch (s) {
    case status::ok:
      return "ok";
    case status::retry:
      return "no room just now";
    case status::peer_failed:
      return "a rank died";
    case status::bad_rank:
      return "no such rank or endpoint in the job";
    case status::too_large:
      return "the payload is too large";
    case status::bad_address:
      return "the address is outside the target's segment";
    case status::no_memory:
      return "out of memory";
    case status::timed_out:
      return "timed out";
    case status::mismatch:
      return "the ranks do not run the same program";
    case status::environment:
      return "the job could not be set up";
  }
  return "unknown status";
}

}  // namespace ramjet
