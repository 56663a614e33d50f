// SPDX-License-Identifier: Apache-2.0
#include "mesh/loss.hpp"

#include <cstring>

namespace ramjet::mesh {

std::uint64_t pack(const loss_cause& cause) {
  if (cause.kind == loss_kind::unknown) return 0;
  return std::uint64_t(cause.kind) << 32 | std::uint32_t(cause.error);
}

loss_cause unpack(std::uint64_t packed) {
  if (packed == 0) return {};
  return {loss_kind(packed >> 32), std::int32_t(std::uint32_t(packed))};
}

std::string end_of_connection(std::int32_t error) {
  if (error == 0) return "was closed by the other end";
  if (error < 0) return "broke";
  return std::string("broke: ") + std::strerror(error);
}

std::string to_text(const loss_cause& cause) {
  switch (cause.kind) {
    case loss_kind::silent:
      return "it gave no sign of life in time (RAMJET_FAILURE_TIMEOUT)";
    case loss_kind::stopped:
      return "it did not run for too long (RAMJET_FAILURE_TIMEOUT)";
    case loss_kind::broken:
      return "a connection between the two " + end_of_connection(cause.error);
    case loss_kind::unanswered:
      return "a connection between the two was not answered in time (RAMJET_FAILURE_TIMEOUT)";
    case loss_kind::control:
      return "the control connection between the two " + end_of_connection(cause.error);
    case loss_kind::protocol:
      return "it sent data that violates the protocol";
    case loss_kind::altered:
      return "bytes between the two were altered on the way";
    case loss_kind::unknown:
      break;
  }
  return "other ranks have declared it dead";
}

}  // namespace ramjet::mesh
