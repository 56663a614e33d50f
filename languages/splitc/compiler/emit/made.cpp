// SPDX-License-Identifier: Apache-2.0
// What the optimiser has made.
#include "languages/splitc/compiler/emit/emission.hpp"

namespace splitcc {
void emission::made(const node* n) {
  const std::string& text = n->made->text;
  const bounds_in_scope around = kept_bounds_;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t hole = text.find_first_of("%@#", begin);
    out_.text(std::string_view(text).substr(begin, hole - begin));
    if (hole == std::string::npos) break;
    const char name = text[hole + 1];
    const auto which = static_cast<std::size_t>(name <= '9' ? name - '0' : name - 'a' + 10);
    if (text[hole] == '%') {
      const node* child = n->children[which];
      is_statement(child) ? statement(child) : expression(child, power::assignment);
    } else {
      const entity* variable = n->made->variables[which];
      out_.text(text[hole] == '@' ? declared(variable->type, std::string(variable->name->text))
                                  : size_of_type(variable->type->target));
    }
    begin = hole + 2;
  }
  if (text.starts_with('{')) kept_bounds_ = around;
}

}  // namespace splitcc
