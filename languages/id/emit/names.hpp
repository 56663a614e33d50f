// SPDX-License-Identifier: Apache-2.0
// Names of what code blocks declare: identifiers that the notation can read, each one once in its
// block, and none of them the name of a block.
#ifndef IDC_EMIT_NAMES_HPP
#define IDC_EMIT_NAMES_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/id/emit/block_names.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace idc::emit {

class names {
 public:
  // `texts`: the program's, to which names are added.
  names(std::vector<std::string>& texts, const block_names& blocks)
      : texts_(texts), blocks_(blocks) {}

  // The texts outlive this.
  tl0::index identifier(std::string_view text) { return find_or_make(identifiers_, text); }
  tl0::index identifier_is(std::string_view text) { return find_or_make(identifiers_is_, text); }
  // A letter and a number.
  tl0::index numbered(char letter, std::size_t number);

  // Of a code block, which asks once. No name of another kind is given the same text.
  tl0::index of_block(std::string_view name) {
    states_.emplace_back().is_reserved = true;
    texts_.emplace_back(name);
    return static_cast<tl0::index>(texts_.size() - 1);
  }

  // `wanted`, or `wanted` with the first number that makes it differ from all names taken since
  // begin_block(), and from those of blocks.
  tl0::index take(tl0::index wanted) { return take_this(wanted) ? wanted : take_slow(wanted); }
  void begin_block() { ++now_; }

 private:
  struct spelling {
    std::string_view suffix;
    std::unordered_map<std::string_view, tl0::index> names{};  // by the texts they are made of
  };
  tl0::index find_or_make(spelling& in, std::string_view text);

  // Of each name: the block that took it last, and the number to try for its next copy there.
  struct state {
    std::uint32_t by = 0;
    tl0::index next = 2;
    std::uint32_t next_by = 0;
    bool is_reserved = false;
  };

  tl0::index add(std::string_view text);
  tl0::index take_slow(tl0::index wanted);
  bool take_this(tl0::index name) {
    state& now = states_[name];
    if (now.is_reserved || now.by == now_) return false;
    now.by = now_;
    return true;
  }

  std::vector<std::string>& texts_;
  const block_names& blocks_;
  std::uint32_t now_ = 0;  // blocks that have begun
  std::unordered_map<std::string, tl0::index> known_;  // numbers of names
  spelling identifiers_{""}, identifiers_is_{"_is"};
  std::vector<state> states_;
  std::vector<tl0::index> numbered_[26];
};

}  // namespace idc::emit

#endif
