// SPDX-License-Identifier: Apache-2.0
// Expressions that select at compile time, and those that hold statements: _Generic,
// __builtin_choose_expr, __builtin_types_compatible_p, statement expressions; types as arguments.
// (C17 6.5.1.1, 7.16; GNU C.)
#include "languages/splitc/compiler/semantics/generic.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

// What was not chosen is not evaluated: the node stands for the chosen expression.
void selection_rules::take_over(node* selection, const node* chosen) {
  selection->type = chosen->type;
  selection->place = chosen->place;
  selection->is_lvalue = chosen->is_lvalue;
  selection->is_null_constant = chosen->is_null_constant;
  if (const std::optional<__int128> value = fold(chosen)) {
    selection->is_constant = true;
    selection->value = *value;
  }
}

// _Generic ( assignment-expression , association-list )
node* selection_rules::generic(token_range r, node* control,
                               std::span<const generic_choice> choices) {
  const qualified_type t = {value_type(operand(control)), 0};
  std::vector<node*> children = {control};
  std::size_t chosen = 0, fallback = 0;
  bool translate = has_wide_part(t.of);
  for (const generic_choice& c : choices) {
    node* association = new_expression(node_kind::association, c.r, c.e->type, {c.e});
    association->written = c.type;
    children.push_back(association);
    const std::size_t index = children.size() - 1;
    if (!c.type) {
      fallback = index;
      continue;
    }
    translate |= c.type->translate;
    const qualified_type of = c.type->type;
    if (chosen == 0 && of.qualifiers == 0 && same_type(t.of, of.of)) chosen = index;
  }
  if (chosen == 0) chosen = fallback;
  if (chosen == 0) {
    if (!is_unknown(t.of))
      report_.error(r.at, "'_Generic' selector of type " + quoted(t) +
                              " is not compatible with any association");
    return error_node(r);
  }
  node* made = make(node_kind::generic, r, children);
  made->chosen = static_cast<std::uint16_t>(chosen);
  take_over(made, children[chosen]->children[0]);
  made->translate |= translate;
  return made;
}

// __builtin_choose_expr ( constant , expression , expression )
node* selection_rules::choose(token_range r, node* condition, node* a, node* b) {
  const std::optional<__int128> value =
      constant_integer(operand(condition), "first argument to '__builtin_choose_expr'");
  if (!value) return error_node(r);
  node* made = new_node(node_kind::choose, r, {condition, a, b});
  made->chosen = *value != 0 ? 1 : 2;
  take_over(made, *value != 0 ? a : b);
  return made;
}

// __builtin_types_compatible_p ( type-name , type-name )
node* selection_rules::types_compatible(token_range r, written_type* a, written_type* b) {
  node* made = new_expression(node_kind::types_compatible, r, {int_type(), 0});
  made->written = a;
  made->written_too = b;
  made->is_constant = true;
  made->value = same_type(a->type.of, b->type.of);
  made->translate = a->translate || b->translate;
  return made;
}

// ( compound-statement ): the value of the expression statement that ends it.
node* selection_rules::statement_expression(token_range r, node* compound) {
  node* last = compound->children.empty() ? nullptr : compound->children.back();
  while (last && last->kind == node_kind::label) last = last->children.back();
  if (!last || last->kind != node_kind::expression)
    return new_expression(node_kind::statement_expression, r, {void_type(), 0}, {compound});
  node* value = operand(last->children[0]);
  last->children[0] = value;
  if (value->translate) {
    for (node* s = compound->children.back(); s != last; s = s->children.back())
      s->translate = true;
    last->translate = compound->translate = true;
  }
  return new_expression(node_kind::statement_expression, r, {value_type(value), 0}, {compound});
}

// __builtin_va_arg ( list , type-name )
node* selection_rules::va_arg(token_range r, node* list, written_type* of) {
  node* made = new_expression(node_kind::va_arg, r, {of->type.of, 0}, {list});
  made->written = of;
  made->translate |= of->translate;
  return made;
}

// __builtin_convertvector ( vector , type-name )
node* selection_rules::convert_vector(token_range r, node* e, written_type* to) {
  node* made = new_expression(node_kind::convert_vector, r, {to->type.of, 0}, {operand(e)});
  made->written = to;
  made->translate |= to->translate;
  return made;
}

node* selection_rules::type_as_argument(token_range r, written_type* of) {
  node* made = new_expression(node_kind::type_name, r, of->type);
  made->written = of;
  made->translate = of->translate;
  return made;
}

}  // namespace splitcc
