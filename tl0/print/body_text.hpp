// SPDX-License-Identifier: Apache-2.0
// The instructions of a body as statements, with expressions put together again.
#ifndef TL0_PRINT_BODY_TEXT_HPP
#define TL0_PRINT_BODY_TEXT_HPP

#include <string>
#include <vector>

#include "tl0/program/program.hpp"

namespace tl0 {

class body_text {
 public:
  body_text(const program& p, const code_block& block, const body& of);

  // The statement that ends with this instruction; empty: the instruction is a part of a later one,
  // or follows from the one before it.
  std::string statement(index instruction);

 private:
  struct text {
    std::string words;
    int binds;  // how close: precedence.hpp
  };

  void find_parts();
  bool drop_wrong_parts();
  std::vector<operand> operands_of(const instruction& i) const;
  bool can_be_part(const instruction& i, index at) const;

  text value_text(const instruction& i);
  text operation_text(const instruction& i);
  text operand_text(operand o);
  std::string constant_text(index c) const;
  std::string in(operand o, int binds);  // in parentheses unless it binds so close
  std::string arguments(const instruction& i);
  std::string activated(const instruction& i);
  std::string place_text(const instruction& i);
  std::string effect_text(const instruction& i);
  std::string name_of(operand o) const;

  const program& p_;
  const code_block& block_;
  const body& body_;
  // Of each temporary: whether it is a part of an expression, and then its text once it is known.
  std::vector<bool> is_part_;
  std::vector<text> parts_;
};

}  // namespace tl0

#endif
