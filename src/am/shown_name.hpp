// SPDX-License-Identifier: Apache-2.0
// The name of a call as it stands in a port's line, for the report of a hang.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace ramjet::detail {

// Padded with NULs. What does not fit is cut, and ends in three dots.
inline std::array<std::uint64_t, 4> shown_name(const char* name) noexcept {
  std::array<std::uint64_t, 4> words{};
  char text[sizeof words] = {};
  std::strncpy(text, name, sizeof text - 1);
  if (std::strlen(name) >= sizeof text) std::memcpy(text + sizeof text - 4, "...", 3);
  std::memcpy(words.data(), text, sizeof text);
  return words;
}

}  // namespace ramjet::detail
