// SPDX-License-Identifier: Apache-2.0
// Makes nodes: their tokens, their children, and `translate`, which a node has if a child has it.
// The base of all parts of semantics that make nodes or report errors; it has no state of its own.
#ifndef SPLITCC_SEMANTICS_NODES_HPP
#define SPLITCC_SEMANTICS_NODES_HPP

#include <initializer_list>
#include <span>
#include <string>

#include "languages/splitc/compiler/semantics/unit_context.hpp"
#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

struct token_range {
  token_index first, last, at;
};

class node_maker {
 public:
  explicit node_maker(unit_context& unit)
      : memory_(unit.memory),
        tokens_(unit.tokens),
        report_(unit.report),
        options_(unit.options),
        types_(unit.types) {}

  arena& memory() { return memory_; }
  type_table& types() { return types_; }

  // A node over `r` with these children; translate is set if a child has it set.
  node* make(node_kind kind, token_range r, std::span<node* const> children);
  node* error_node(token_range r);

 protected:
  node* new_node(node_kind kind, token_range r, std::initializer_list<node*> children = {});
  // A node of an expression; an rvalue of that type.
  node* new_expression(node_kind kind, token_range r, qualified_type t,
                       std::initializer_list<node*> children = {});
  // Inserted over `e`: the same tokens, the conversion that C, or we, imply.
  node* new_conversion(node* e, conversion kind, qualified_type to);

  bool in_system_header(token_index at) const;
  std::string quoted(const identifier* name) const;  // 'name'
  std::string quoted(qualified_type t) const;  // 'int *global'
  std::string text_of(const node* e) const;  // its tokens
  static token_range range_of(const node* e) { return {e->first, e->last, e->at}; }
  const type* int_type() const { return types_.basic(type_kind::int_); }
  const type* unknown_type() const { return types_.basic(type_kind::error); }
  const type* void_type() const { return types_.basic(type_kind::void_); }

  arena& memory_;
  const token_list& tokens_;
  diagnostics& report_;
  const language_options& options_;
  type_table& types_;
};

}  // namespace splitcc

#endif
