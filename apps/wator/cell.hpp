// SPDX-License-Identifier: Apache-2.0
// What a cell of the sea holds.
#pragma once

#include <cstdint>
#include <type_traits>

namespace wator {

enum class kind : std::uint8_t { water, fish, shark };

struct cell {
  kind what = kind::water;
  std::uint8_t age = 0;  // steps since it was born or last gave birth, at most the breeding age
  std::uint8_t hunger = 0;  // steps since a shark has eaten
  std::uint8_t unused = 0;

  friend bool operator==(const cell&, const cell&) = default;
};
static_assert(sizeof(cell) == 4 && std::is_trivially_copyable_v<cell>);

}  // namespace wator
