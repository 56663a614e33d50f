// SPDX-License-Identifier: Apache-2.0
// Blocks of things of nearly one length, a block to a rank.
#pragma once

#include <cstdint>

namespace measured {

class ownership {
 public:
  // Of things from 0 to count - 1, at most 2^32 of them.
  ownership(std::uint64_t count, int ranks)
      : count_(count), factor_((static_cast<std::uint64_t>(ranks) << kShift) / count) {}

  int owner_of(std::uint64_t k) const { return static_cast<int>(k * factor_ >> kShift); }
  // The first one of a rank; for the number of ranks how many there are.
  std::uint64_t begin_of(int rank) const {
    const std::uint64_t begin =
        ((static_cast<std::uint64_t>(rank) << kShift) + factor_ - 1) / factor_;
    return begin < count_ ? begin : count_;
  }

 private:
  static constexpr unsigned kShift = 40;  // ranks < 2^(64 - kShift)

  std::uint64_t count_;
  std::uint64_t factor_;  // ranks / count, times 2^kShift
};

}  // namespace measured
