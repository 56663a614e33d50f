// SPDX-License-Identifier: Apache-2.0
// What the passes look at in trees and make of them.
#ifndef SPLITCC_OPTIMISE_TREES_HPP
#define SPLITCC_OPTIMISE_TREES_HPP

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "languages/splitc/compiler/optimise/optimise.hpp"

namespace splitcc {

// Without parentheses.
node* bare(node* e);
const node* bare(const node* e);
// Without parentheses and conversions between arithmetic types.
node* plain(node* e);

// The children that are there, the initializers of declarations among them; a child can be
// replaced.
void for_each_child(node* n, const std::function<void(node*&)>& visit);
// The node and all below it, from the top. `visit` returns whether to go below.
void walk(node* n, const std::function<bool(node*)>& visit);

bool is_loop(const node* n);
bool is_global_lvalue(const node* e);
// The name of a variable or parameter; null otherwise.
entity* variable_of(const node* e);
// A name of <split-c/split-c.h>, not a program's own.
bool is_library_name(const node* e, std::string_view name);
// A statement that calls a function of the library, without arguments.
bool is_library_call(const node* statement, std::string_view name);

// A pass at work.
struct pass {
  type_table& types;
  const token_list& tokens;
  diagnostics& report;
  const optimise_options& options;
  std::string_view name;  // its flag without -f
  int* names;             // how many variables passes have made
  const std::set<const entity*>& computing;  // functions in front of this one that only compute

  // No #pragma stands before the loop: one may be about it, and wants a loop right there.
  bool may_replace(const node* loop) const;

  // A record or an enumeration is defined in an expression of n: to all of the scope that n is in,
  // which would not see it if n were put into braces, and see it twice if n stood there twice. What
  // stands in n in braces defines things for itself.
  bool defines_types(const node* n) const;

  // A line for -fopt-report.
  void tell(token_index at, std::string_view text) const;
  void tell(const node* statement, std::string_view text) const;

  // A variable of the pass, and a node that names it.
  entity* variable(qualified_type type) const;
  node* use(entity* variable) const;
  node* made(std::string text, std::vector<node*> children, std::vector<entity*> variables,
             qualified_type type = {}) const;
  node* unary(punctuator op, node* e, qualified_type type, bool is_lvalue, reach place) const;
  node* assignment(punctuator op, node* left, node* right) const;
  // left := right, with another one or sync() right behind it.
  node* followed_get(node* left, node* right) const;
  // With all below it.
  node* copy(const node* n) const;
};

// The text of a variable's name.
std::string text_of(const entity* variable);

}  // namespace splitcc

#endif
