// SPDX-License-Identifier: Apache-2.0
// Names, numbers, initializers, and the operators that look like calls.
#include <algorithm>

#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {

void emission::name(const node* n) {
  const entity& e = *n->referred;
  if (const auto known = hoisted_.find(&e); known != hoisted_.end())
    return out_.text(known->second);
  if (late_.contains(&e)) return out_.text(late_name(e));
  const bool is_renamed = e.is_library && !e.name_in_output.empty();
  if (!is_renamed && n->first != kNoToken) return out_.tokens(n->first, n->last);
  out_.text(is_renamed ? std::string_view(e.name_in_output) : e.name->text);
}

// A number that a pass has made.
void emission::made_number(const node* n) {
  if (n->first != kNoToken) return out_.tokens(n->first, n->last);
  const bool is_negative = n->value < 0;
  auto magnitude = static_cast<unsigned __int128>(is_negative ? -n->value : n->value);
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(magnitude % 10));
    magnitude /= 10;
  } while (magnitude != 0);
  if (is_negative) digits += '-';
  std::ranges::reverse(digits);
  const type* t = n->type.of;
  if (is_unsigned(t)) digits += 'u';
  if (size_of(t).value_or(4) > 4) digits += 'l';
  out_.text(digits);
}

void emission::operand(const node* n) {
  switch (n->kind) {
    case node_kind::compound_literal:
      out_.text("(");
      written(*n->written);
      out_.text(")");
      return expression(n->children[0]);
    case node_kind::statement_expression:
      return statement_expression(n);
    case node_kind::sizeof_expression:
    case node_kind::sizeof_type:
    case node_kind::alignof_expression:
    case node_kind::alignof_type:
      return sizeof_operator(n);
    case node_kind::va_arg:
      enclosed("__builtin_va_arg(", n->children[0], ", ", power::assignment);
      written(*n->written);
      return out_.text(")");
    case node_kind::offset_of:
      return offset_of(n);
    case node_kind::choose:
      return enclosed("(", n->children[n->chosen], ")");
    case node_kind::generic:
      return enclosed("(", n->children[n->chosen]->children[0], ")");
    case node_kind::types_compatible:
      return out_.text(n->value ? "1" : "0");
    case node_kind::convert_vector:
      enclosed("__builtin_convertvector(", n->children[0], ", ", power::assignment);
      written(*n->written);
      return out_.text(")");
    case node_kind::type_name:
      return written(*n->written);
    case node_kind::made:
      return made(n);
    default:
      return with_children(n);
  }
}

// The value of the last statement in it is its own.
void emission::statement_expression(const node* n) {
  const node* block = n->children[0];
  const node* last = block->children.empty() ? nullptr : block->children.back();
  while (last && last->kind == node_kind::label) last = last->children.back();
  if (last && n->type->kind != type_kind::void_) values_.insert(last);
  out_.text("(");
  compound(block);
  out_.text(")");
}

void emission::sizeof_operator(const node* n) {
  const bool of_type = n->kind == node_kind::sizeof_type || n->kind == node_kind::alignof_type;
  const bool alignment =
      n->kind == node_kind::alignof_type || n->kind == node_kind::alignof_expression;
  const qualified_type t = of_type ? n->written->type : n->children[0]->type;
  if (!alignment && t->kind == type_kind::spread_array) return out_.text(size_of_type(t));
  out_.text(alignment ? "__alignof__(" : "sizeof(");
  if (of_type)
    written(*n->written);
  else if (n->children[0]->kind == node_kind::string)
    expression(n->children[0]);
  else
    out_.text(type_name({t.of, 0}));
  out_.text(")");
}

void emission::offset_of(const node* n) {
  out_.text("__builtin_offsetof(");
  written(*n->written);
  out_.text(", ");
  for (const node* d : n->children) {
    if (d->kind == node_kind::designator_index) {
      enclosed("[", d->children[0], "]");
    } else {
      if (d != n->children.front()) out_.text(".");
      out_.text(d->accessed ? d->accessed->name->text : tokens_.tokens[d->first].text);
    }
  }
  out_.text(")");
}

// { items }
void emission::initializer(const node* n) {
  out_.text("{");
  for (const node* item : n->children) {
    if (item != n->children.front()) out_.text(", ");
    expression(item, power::assignment);
  }
  out_.text("}");
}

// designators = value
void emission::designation(const node* n) {
  const auto designators = n->children.first(n->children.size() - 1);
  for (const node* d : designators) {
    if (d->kind == node_kind::designator_member) {
      out_.text(".");
      out_.text(d->accessed->name->text);
      continue;
    }
    out_.text("[");
    expression(d->children[0], power::conditional);
    if (d->children.size() > 1 && d->children[1]) {
      out_.text(" ... ");
      expression(d->children[1], power::conditional);
    }
    out_.text("]");
  }
  out_.text(" = ");
  expression(n->children.back(), power::assignment);
}

}  // namespace splitcc
