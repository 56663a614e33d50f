// SPDX-License-Identifier: Apache-2.0
// How the ranks of one machine come to share a memory object when nobody handed it down to them:
// one creates it, and sends its descriptor to the others through a socket that has no name in the
// file system. The kernel tells both ends the user of the other; the receiver also proves a token
// that only the job knows.
//
// Threads: the one that calls join.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ramjet/status.hpp"

namespace ramjet::job {

using passing_token = std::array<std::uint8_t, 32>;

// How long an end waits, and what ends its wait before.
struct passing_limits {
  unsigned timeout_ms;
  std::function<bool()> is_hopeless;  // asked from time to time; the caller knows why
};

// The sending end.
class descriptor_sender {
 public:
  descriptor_sender() = default;
  descriptor_sender(const descriptor_sender&) = delete;
  descriptor_sender& operator=(const descriptor_sender&) = delete;
  ~descriptor_sender();

  // Listens from here on; `name` is what receivers need to find it.
  bool open(std::string& name, std::string& message);

  // Sends `object` to each of these ranks, and returns when all have it, or with the name of one
  // that has not come in time.
  status send(int object, std::vector<unsigned> ranks, const passing_token& token,
              const passing_limits& limits, std::string& message);

 private:
  int listener_ = -1;
};

// The receiving end: what rank `from` sends to rank `mine`. The caller closes the descriptor.
struct descriptor_source {
  std::string name;
  passing_token token;
  unsigned from;
};
status request_descriptor(const descriptor_source& source, unsigned mine,
                          const passing_limits& limits, int& object, std::string& message);

}  // namespace ramjet::job
