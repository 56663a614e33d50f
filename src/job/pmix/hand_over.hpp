// SPDX-License-Identifier: Apache-2.0
// How the ranks of one machine come to share a memory object when nobody handed it down to them:
// one creates it, and gives its descriptor to the others through a socket that has no name in the
// file system. Both ends see the user of the other from the kernel; who takes also proves a token
// that only the job knows.
//
// Threads: the one that calls join.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ramjet/status.hpp"

namespace ramjet::job {

using hand_over_token = std::array<std::uint8_t, 32>;

// The giving end.
class object_giver {
 public:
  object_giver() = default;
  object_giver(const object_giver&) = delete;
  object_giver& operator=(const object_giver&) = delete;
  ~object_giver();

  // Listens from here on; `name` is what takers need to find it.
  bool open(std::string& name, std::string& message);

  // Gives `object` to each of these ranks, and returns when all have it, or with the name of one
  // that has not come in time.
  status give(int object, std::vector<unsigned> ranks, const hand_over_token& token,
              unsigned timeout_ms, std::string& message);

 private:
  int listener_ = -1;
};

// The taking end: what rank `from` gives to rank `mine`. The caller closes the descriptor.
struct object_source {
  std::string name;
  hand_over_token token;
  unsigned from;
};
status take_object(const object_source& source, unsigned mine, unsigned timeout_ms, int& object,
                   std::string& message);

}  // namespace ramjet::job
