// SPDX-License-Identifier: Apache-2.0
// Numbers that depend on the outcomes of switches, as decision diagrams: a node asks for the
// outcome of one switch, a leaf is a number. Equal ones have equal indices, so that what does not
// depend on a switch is small again where its two ways meet, however many switches there are.
#ifndef TL0_VERIFY_CONDITIONS_HPP
#define TL0_VERIFY_CONDITIONS_HPP

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tl0/program/program.hpp"

namespace tl0 {

// A number for every outcome; 1 and 0 for what is so and what is not.
using condition = std::uint32_t;

class conditions {
 public:
  // More than this many nodes: the block is beyond what is checked.
  struct too_many {};

  conditions();

  condition number(std::uint32_t value);
  // 1 where the switch has this outcome, else 0.
  condition outcome(index which, bool is_yes);

  condition sum(condition a, condition b) { return apply(combine::sum, a, b); }
  condition both(condition a, condition b) { return apply(combine::both, a, b); }
  condition either(condition a, condition b) { return apply(combine::either, a, b); }
  condition inverse(condition a) { return apply(combine::except, number(1), a); }
  // 1 where a is at least b.
  condition equal(condition a, std::uint32_t value) {
    return apply(combine::equal, a, number(value));
  }

  bool never(condition a) { return a == number(0); }
  // Some outcomes where it is not 0, in the order of the switches, and the number it is there.
  std::vector<std::pair<index, bool>> example(condition a, std::uint32_t& value) const;

 private:
  enum class combine : std::uint8_t { sum, both, either, except, equal };
  struct node {
    index which;  // kNone: a leaf, of the value `no`
    condition yes;
    condition no;
  };
  static constexpr std::size_t kNodesMax = 200'000;

  condition add(const node& n);
  condition apply(combine how, condition a, condition b);
  static std::uint32_t apply_leaf(combine how, std::uint32_t a, std::uint32_t b);

  std::vector<node> nodes_;
  std::map<std::tuple<index, condition, condition>, condition> found_;
  std::unordered_map<std::uint64_t, condition> applied_[5];
};

}  // namespace tl0

#endif
