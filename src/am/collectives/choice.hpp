// SPDX-License-Identifier: Apache-2.0
// What the algorithms share: the limits at which one gives way to another, and steps that several
// use. ADR 7 has the figures behind the numbers.
#pragma once

#include <cstring>

#include "am/collectives/operation.hpp"
#include "base/machine_profile.hpp"

namespace ramjet::detail {

// Up to this many members, one message after the other to each takes less time than further rounds.
inline constexpr int kFlatRanksMax = 8;
// Gathered by rounds: many members, and so little that sending it several times is nothing.
inline constexpr int kRoundsRanksMin = 17;
inline constexpr std::size_t kRoundsBytesMax = 8 * 1024;

// Whether everybody's values go by one member, which receives all and answers all: two turns of the
// processors, however many ranks share one. Longer values had better keep all processors busy than
// one.
inline bool by_hub(const operation& o, std::size_t bytes) {
  return o.crowded() && bytes <= base::machine(base::figure::hub_bytes);
}
// Whether there are so few members that each may send to each at once.
inline bool few(const operation& o) { return o.size() <= kFlatRanksMax; }
// Whether each sends its value to all directly: few members, short values.
inline bool by_all(const operation& o, std::size_t bytes) { return few(o) && bytes <= kShortBytes; }

// Calls do_for(r) for every other member until one fails, starting behind this one, so that not all
// send to the same at once.
template <class Do>
RAMJET_INLINE status each_other(const operation& o, const Do& do_for) {
  for (int d = 1; d < o.size(); ++d)
    if (status s = do_for((o.rank() + d) % o.size()); s != status::ok) return s;
  return status::ok;
}

inline status send_to_all(const operation& o, const void* data, std::size_t bytes) {
  return each_other(o, [&](int r) { return o.send(r, data, bytes); });
}
inline status finish_all(const operation& o) {
  return each_other(o, [&](int r) { return o.finish(r); });
}
// Accepts null pointers if `bytes` is 0.
inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes != 0) std::memcpy(to, from, bytes);
}
// Where member r's value stands in room for one of each: aligned as a C operator may expect it.
inline std::size_t place_of(int r, std::size_t bytes) {
  return std::size_t(r) * ((bytes + 15) & ~std::size_t{15});
}
// Messages of `bytes` from all others to their places, and this member's own.
inline void expect_all(const operation& o, const std::byte* mine, std::byte* all,
                       std::size_t bytes) {
  for (int r = 0; r < o.size(); ++r) {
    std::byte* to = all + place_of(r, bytes);
    if (r != o.rank()) {
      o.expect(r, to, bytes);
    } else {
      copy_bytes(to, mine, bytes);
    }
  }
}

// broadcast.cpp
status broadcast_within(const operation& o, std::byte* data, std::size_t bytes, int root);

}  // namespace ramjet::detail
