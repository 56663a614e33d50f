// SPDX-License-Identifier: Apache-2.0
// Numbers that depend on the outcomes of switches, as decision diagrams: a node asks for the
// outcome of one switch, a leaf is a number. Equal ones have equal indices, so that what does not
// depend on a switch is small again where its two ways meet, however many switches there are.
#ifndef TL0_VERIFY_CONDITIONS_HPP
#define TL0_VERIFY_CONDITIONS_HPP

#include <cstdint>
#include <utility>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

// A number for every outcome; 1 and 0 for what is so and what is not.
using condition = std::uint32_t;

// From keys to conditions; clear() costs nothing.
class condition_table {
 public:
  condition_table() : entries_(64) {}
  // Where the key's condition is or comes to: *found says which.
  condition& at(std::uint64_t key, bool* found);
  void clear();

 private:
  struct entry {
    std::uint64_t key = 0;
    condition is = 0;
    std::uint32_t round = 0;  // of clear(): of another one, the entry is free
  };
  static std::size_t hash(std::uint64_t key) {
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32);
  }
  void grow();

  std::vector<entry> entries_;  // 2^n
  std::size_t used_ = 0;        // 2 * used_ <= entries_.size()
  std::uint32_t round_ = 1;
};

class conditions {
 public:
  // More than this many nodes: the block is beyond what is checked.
  struct too_many {};

  conditions() { clear(); }
  void clear();

  condition number(std::uint32_t value) {
    return value < 2 ? value : add({kNone, 0, value}, kLeaf | value);
  }
  // 1 where the switch has this outcome, else 0.
  condition outcome(index which, bool is_yes) {
    return add(is_yes ? node{which, kYes, kNo} : node{which, kNo, kYes});
  }

  condition sum(condition a, condition b) {
    return a == kNo ? b : b == kNo ? a : apply(combine::sum, a, b);
  }
  // Of what is so or not.
  condition both(condition a, condition b) {
    if (a == kNo || b == kNo) return kNo;
    return a == kYes || a == b ? b : b == kYes ? a : apply(combine::both, a, b);
  }
  condition either(condition a, condition b) {
    if (a == kYes || b == kYes) return kYes;
    return a == kNo || a == b ? b : b == kNo ? a : apply(combine::either, a, b);
  }
  condition inverse(condition a) { return a <= kYes ? kYes - a : apply(combine::except, kYes, a); }
  // 1 where a is the value.
  condition equal(condition a, std::uint32_t value) {
    if (nodes_[a].which == kNone) return nodes_[a].no == value ? kYes : kNo;
    return apply(combine::equal, a, number(value));
  }

  static bool never(condition a) { return a == kNo; }
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
  static constexpr unsigned kBits = 18;  // of a condition
  static_assert(kNodesMax < std::size_t{1} << kBits);
  static constexpr std::uint64_t kLeaf = std::uint64_t{1} << 63;
  static constexpr condition kNo = 0, kYes = 1;  // the numbers 0 and 1

  // Each switch has a node of its own, so its number has no more bits than a condition.
  static std::uint64_t key_of(std::uint64_t first, condition a, condition b) {
    return first << 2 * kBits | std::uint64_t{a} << kBits | b;
  }
  condition add(const node& n) { return add(n, key_of(n.which, n.yes, n.no)); }
  condition add(const node& n, std::uint64_t key);
  condition apply(combine how, condition a, condition b);
  static std::uint32_t apply_leaf(combine how, std::uint32_t a, std::uint32_t b);

  std::vector<node> nodes_;
  condition_table found_, applied_;
};

}  // namespace tl0

#endif
