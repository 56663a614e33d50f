// SPDX-License-Identifier: Apache-2.0
// The ways of moving bytes between this rank's memory and another's.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/characterize/remote/server.hpp"

namespace characterize {

struct transfer {
  std::string name;
  // Moves bytes between `here` and `offset` in the other one's memory; complete when it returns.
  std::function<void(std::byte* here, std::size_t offset, std::size_t bytes)> move;
};

// Those that there are between these two ranks. Sizes are multiples of 8.
std::vector<transfer> ways_to_read(const server_place& other);
std::vector<transfer> ways_to_write(const server_place& other);
inline constexpr std::size_t kMessageWay = 2;  // which of them is a long message

}  // namespace characterize
