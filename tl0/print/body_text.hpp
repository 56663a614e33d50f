// SPDX-License-Identifier: Apache-2.0
// The instructions of a body as statements, with expressions put together again.
#ifndef TL0_PRINT_BODY_TEXT_HPP
#define TL0_PRINT_BODY_TEXT_HPP

#include <string>
#include <unordered_map>
#include <vector>

#include "tl0/print/text_buffer.hpp"
#include "tl0/program/program.hpp"

namespace tl0 {

class body_text {
 public:
  body_text(const program& p, text_buffer& out) : p_(p), out_(&out) {}

  // The body whose statements come next.
  void begin(const code_block& block, const body& of);
  // Whether a statement ends with the instruction: it is not part of a later one. All instructions
  // are asked, in order.
  bool is_statement(index at) {
    const instruction& i = p_.instructions[at];
    if (!is_value(i.op) || !is_part(i.to)) return true;
    if (is_long_) add_part(at);
    return false;
  }
  // A line; none for the stop at a thread's end. Texts are written where there is room for them,
  // and the place behind is given.
  char* statement(char* to, index at);
  // Of the next block: how long its names and strings are.
  void find_room();
  // With room for a line of some names, or for a part of a statement.
  char* room(char* to) { return out_->room(to, room_); }
  // A text of any length; there is room behind it.
  char* kept(char* to, const std::string& text);
  // As it is written in the notation.
  const std::string& spelling(index type) {
    if (type < spellings_.size() && !spellings_[type].empty()) return spellings_[type];
    return spelling_slow(type);
  }
  // Of those from this one on, the program has others.
  void forget_types(index first) {
    if (first < spellings_.size()) spellings_.resize(first);
  }

 private:
  // Of each temporary of the body.
  struct part {
    std::uint32_t uses = 0;
    index made = kNone;  // the instruction, if it may be a part of an expression; used once
    std::uint32_t depth = 0;
    bool is_kept = false;  // a deep one, whose text is in kept_: printing goes no further down
  };

  void find_parts();
  void take_part(index used, const instruction& user, index at);
  void drop_through(std::size_t count);
  template <class F>
  void operands(const instruction& i, const F& use) const;
  template <class F>
  void operands_backwards(const instruction& i, const F& use) const;
  bool can_be_part(const instruction& i) const;
  bool is_part(operand o) const {
    return o.is_temporary() && parts_[o.at()].made != kNone;
  }
  void add_part(index at);

  int binds(operand o) const;  // how close: precedence.hpp
  int binds(const instruction& i) const;
  index type_of(operand o) const;

  char* value(char* to, const instruction& i);
  char* operation(char* to, const instruction& i);
  char* operand_text(char* to, operand o);
  template <class... Parts>
  static char* put(char* to, const Parts&... parts) {
    return text_buffer::put(to, parts...);
  }
  char* constant(char* to, index c);
  char* in(char* to, operand o, int binds);  // in parentheses unless it binds that close
  const std::string& spelling_slow(index type);
  char* arguments(char* to, const instruction& i);
  char* activated(char* to, const instruction& i);
  char* place(char* to, const instruction& i);
  char* effect(char* to, const instruction& i);
  char* access(char* to, const instruction& i);
  const std::string* name_of(operand o) const;  // null: it has none
  char* element(char* to, const instruction& i);
  char* answer(char* to, const instruction& i, index inlet);
  const std::string& thread(index t) const {
    return t == kNone ? none_ : p_.name(p_.threads[t].name);
  }

  // A line, or what comes between two calls of room(), has no more names and strings.
  static constexpr std::size_t kTextsMax = 5;
  static constexpr std::size_t kRoomExpected = 512;  // and words, marks and numbers

  const program& p_;
  text_buffer* out_;
  std::size_t room_ = kRoomExpected;
  std::size_t names_seen_ = 0, strings_seen_ = 0;
  const code_block* block_ = nullptr;
  const body* body_ = nullptr;
  const std::string none_ = "none";
  bool is_long_ = false;  // the body may have parts that are deep
  std::vector<part> parts_;
  std::unordered_map<index, std::string> kept_;  // by temporary
  // Parts that nothing has used yet, in order.
  std::vector<index> waiting_;
  std::vector<std::string> spellings_;
};

}  // namespace tl0

#endif
