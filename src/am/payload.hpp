// SPDX-License-Identifier: Apache-2.0
// Which payload regions a sender may use again: a region is free once its record is answered or
// consumed, and records end in order, so a queue of (record, region) pairs is all there is to it.
#pragma once

#include <array>
#include <cstdint>

namespace ramjet::detail {

struct payload_marks {
  static constexpr unsigned kMost = 1024;
  struct mark {
    std::uint64_t record_end;   // the record ends here in the record ring
    std::uint64_t payload_end;  // its region, and the gap before it, end here
  };
  std::array<mark, kMost> marks;
  std::uint64_t first = 0;  // oldest mark still held
  std::uint64_t last = 0;   // last - first <= kMost
};

}  // namespace ramjet::detail
