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
#include <vector>

#include "tl0/program/program.hpp"

namespace idc::emit {

class names {
 public:
  // `texts`: the program's, to which names are added.
  explicit names(std::vector<std::string>& texts) : texts_(texts) {}

  // The texts outlive this.
  tl0::index identifier(std::string_view text) { return find_or_make(identifiers_, text); }
  tl0::index identifier_is(std::string_view text) {
    return find_or_make(identifiers_is_, text);
  }
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
  // Numbers by texts, with open addressing; the texts that they stand for are kept elsewhere.
  class table {
   public:
    // kNone: it is not there. text_of: of a number that was added.
    template <class F>
    tl0::index find(std::string_view text, const F& text_of) const {
      const std::uint32_t hash = hash_of(text);
      for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
        const entry& e = entries_[at];
        if (e.number == tl0::kNone || (e.hash == hash && text_of(e.number) == text))
          return e.number;
      }
    }
    void add(std::string_view text, tl0::index number);

   private:
    struct entry {
      std::uint32_t hash = 0;
      tl0::index number = tl0::kNone;
    };
    static std::uint32_t hash_of(std::string_view text) {
      // The length, the first and the last eight bytes tell most names apart.
      std::uint64_t first = 0, last = 0;
      const std::size_t bytes = std::min<std::size_t>(text.size(), 8);
      std::memcpy(&first, text.data(), bytes);
      std::memcpy(&last, text.data() + text.size() - bytes, bytes);
      std::uint64_t all = (first ^ text.size()) * 0x9e3779b97f4a7c15U;
      all = (all ^ all >> 32 ^ last) * 0xbf58476d1ce4e5b9U;
      return static_cast<std::uint32_t>(all >> 32);
    }
    std::size_t mask() const { return entries_.size() - 1; }
    void place(entry e);

    std::vector<entry> entries_ = std::vector<entry>(1024);  // a power of two, half of it free
    std::size_t count_ = 0;
  };
  // A text that was asked for, and its name.
  struct made_name {
    std::string_view from;
    tl0::index name;
  };
  // Of texts that were asked for lately: where they are tells which they are.
  struct seen {
    const char* at = nullptr;
    std::size_t bytes = 0;
    tl0::index name = 0;
  };
  struct spelling {
    std::string_view suffix;
    table made{};  // of made_
    std::vector<seen> lately = std::vector<seen>(256);
  };
  tl0::index find_or_make(spelling& in, std::string_view text) {
    const auto place = reinterpret_cast<std::uintptr_t>(text.data()) * 0x9e3779b97f4a7c15U >> 56;
    seen& lately = in.lately[place];
    if (lately.at != text.data() || lately.bytes != text.size())
      lately = {text.data(), text.size(), find_or_make_slow(in, text)};
    return lately.name;
  }
  tl0::index find_or_make_slow(spelling& in, std::string_view text);

  // Of each name: who has taken it, and the number that its next copy may have.
  struct state {
    tl0::index by = kNobody;
    tl0::index next = 2, next_by = kNobody;
  };
  static constexpr tl0::index kNobody = kProgram - 1, kReserved = kProgram - 2;

  tl0::index add(std::string_view text);
  bool take_this(tl0::index name, tl0::index by);

  std::vector<std::string>& texts_;
  table known_;  // numbers of names
  spelling identifiers_{""}, identifiers_is_{"_is"};
  std::vector<made_name> made_;
  std::vector<state> states_;
  std::vector<tl0::index> numbered_[26];
};

}  // namespace idc::emit

#endif
