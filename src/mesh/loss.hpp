// SPDX-License-Identifier: Apache-2.0
// Why a rank is given up, as both ranks print it and as it travels between them.
#pragma once

#include <cstdint>
#include <string>

namespace ramjet::mesh {

enum class loss_kind : std::uint32_t {
  unknown = 0,
  silent = 1,      // no sign of life within the time-out
  stopped = 2,     // its own node saw that it does not run
  broken = 3,      // a connection of a channel ended
  unanswered = 4,  // a connection of a channel is not acknowledged
  control = 5,     // the control connection ended
  protocol = 6,    // it sent data that violates the protocol
  altered = 7,     // what came from it is not what it sent
};

// errno of the failed call; 0: the peer closed the connection; kUnknownError: nobody knows.
inline constexpr std::int32_t kUnknownError = -1;

struct loss_cause {
  loss_kind kind = loss_kind::unknown;
  std::int32_t error = kUnknownError;
};

// For the board (rank_line::loss); 0: unknown.
std::uint64_t pack(const loss_cause& cause);
loss_cause unpack(std::uint64_t packed);

// A clause: "the connection between the two broke: Connection reset by peer".
std::string to_text(const loss_cause& cause);
// How a connection ended: "broke: Connection reset by peer", "was closed by the other end".
std::string end_of_connection(std::int32_t error);

}  // namespace ramjet::mesh
