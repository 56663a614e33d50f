// SPDX-License-Identifier: Apache-2.0
// What a creature's behaviour costs: computation of a set length that the processor really does.
#pragma once

#include <cstdint>

namespace wator {

class thinking {
 public:
  // Collective: all ranks agree on how many rounds take `ns`.
  explicit thinking(std::uint64_t ns);
  void think(std::uint64_t about);

  // Depends on every round of every thought.
  std::uint64_t result() const { return result_; }

 private:
  std::uint64_t rounds_ = 0;
  std::uint64_t result_ = 0;
};

}  // namespace wator
