// SPDX-License-Identifier: Apache-2.0
// The instructions of a body as statements, with expressions put together again.
#ifndef TL0_PRINT_BODY_TEXT_HPP
#define TL0_PRINT_BODY_TEXT_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

inline void append(std::string& to, std::string_view words) { to += words; }
inline void append(std::string& to, char c) { to += c; }
inline void append(std::string& to, std::int64_t number) { to += std::to_string(number); }
// The shortest text that reads as the same number. It has a point or an exponent.
void append(std::string& to, double number);

class body_text {
 public:
  body_text(const program& p, std::string& out) : p_(p), out_(&out) {}

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
  // A line; none for the stop at a thread's end.
  void statement(index at);
  // As it is written in the notation.
  const std::string& spelling(index type);

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
  bool is_part(operand o) const { return o.is_temporary() && parts_[o.at()].made != kNone; }
  void add_part(index at);

  int binds(operand o) const;  // how close: precedence.hpp
  int binds(const instruction& i) const;
  index type_of(operand o) const;

  void value(const instruction& i);
  void operation(const instruction& i);
  void operand_text(operand o);
  template <class... Parts>
  void put(const Parts&... parts) {
    (append(*out_, parts), ...);
  }
  void constant(index c);
  void in(operand o, int binds);  // in parentheses unless it binds that close
  void arguments(const instruction& i);
  void activated(const instruction& i);
  void place(const instruction& i);
  void effect(const instruction& i);
  void access(const instruction& i);
  const std::string* name_of(operand o) const;  // null: it has none
  void element(const instruction& i);
  void answer(const instruction& i, index inlet);
  const std::string& thread(index t) const {
    return t == kNone ? none_ : p_.name(p_.threads[t].name);
  }

  const program& p_;
  std::string* out_;
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
