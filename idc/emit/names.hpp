// SPDX-License-Identifier: Apache-2.0
// Names of code blocks and of what they declare: identifiers that the notation can read, each one
// once in the program or in its block.
#ifndef IDC_EMIT_NAMES_HPP
#define IDC_EMIT_NAMES_HPP

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tl0/program/program.hpp"

namespace idc::emit {

class names {
 public:
  // `texts`: the program's, to which names are added.
  explicit names(std::vector<std::string>& texts) : texts_(texts) {}

  tl0::index identifier(std::string_view text);
  tl0::index identifier_is(std::string_view text);  // with _is behind it
  // A letter and a number.
  tl0::index numbered(char letter, std::size_t number);

  // This name, or with the first number behind it that makes it another one than all of the block
  // `by` and of kProgram; for kProgram, than all of any block.
  tl0::index take(tl0::index wanted, tl0::index by);
  static constexpr tl0::index kProgram = tl0::kNone;

  // Nobody but the program may have it.
  void reserve(tl0::index name) { states_[name].by = kReserved; }
  // A name that `by` has already, though another block was looked at meanwhile.
  void take_again(tl0::index name, tl0::index by) { states_[name].by = by; }

 private:
  struct hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      // The length, the first and the last eight bytes tell most names apart.
      std::uint64_t first = 0, last = 0;
      const std::size_t bytes = std::min<std::size_t>(text.size(), 8);
      std::memcpy(&first, text.data(), bytes);
      std::memcpy(&last, text.data() + text.size() - bytes, bytes);
      std::uint64_t all = (first ^ text.size()) * 0x9e3779b97f4a7c15U;
      all = (all ^ all >> 32 ^ last) * 0xbf58476d1ce4e5b9U;
      return all ^ all >> 29;
    }
  };
  using table = std::unordered_map<std::string, tl0::index, hash, std::equal_to<>>;
  // Of each name: who has taken it, and the number that its next copy may have.
  struct state {
    tl0::index by = kNobody;
    tl0::index next = 2, next_by = kNobody;
  };
  static constexpr tl0::index kNobody = kProgram - 1, kReserved = kProgram - 2;

  tl0::index add(std::string_view text);
  bool take_this(tl0::index name, tl0::index by);

  std::vector<std::string>& texts_;
  table known_, identifiers_, identifiers_is_;
  std::vector<state> states_;
  std::vector<tl0::index> numbered_[26];
};

}  // namespace idc::emit

#endif
