// SPDX-License-Identifier: Apache-2.0
// What an animal's behaviour costs: computation of a set length that the processor really does.
#pragma once

#include <cstdint>

namespace wator {

class thinking {
 public:
  // Collective: all ranks agree on how many rounds take `unit_ns`.
  explicit thinking(std::uint64_t unit_ns);
  void think(std::uint64_t about, std::uint64_t units);

  // Depends on every round of every thought.
  std::uint64_t result() const { return result_; }

 private:
  std::uint64_t rounds_ = 0;  // of a unit
  std::uint64_t result_ = 0;
};

}  // namespace wator
