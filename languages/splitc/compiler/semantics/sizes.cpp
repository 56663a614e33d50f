// SPDX-License-Identifier: Apache-2.0
// sizeof, _Alignof, offsetof. (C17 6.5.3.4, 7.19; GNU: void and functions have the size 1.) Their
// values are fold()'s.
#include "languages/splitc/compiler/semantics/sizes.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

bool size_rules::is_measurable(token_index at, const type* t, bool alignment) {
  if (t->kind == type_kind::void_ || is_complete(t)) return true;
  // An enumeration and an array have the alignment of what they are made of.
  if (alignment && t->kind == type_kind::array && is_complete(t->target.of)) return true;
  report_.error(at, std::string("invalid application of '") + (alignment ? "_Alignof" : "sizeof") +
                        "' to incomplete type " + quoted({t, 0}));
  return false;
}

// sizeof unary-expression, _Alignof unary-expression
node* size_rules::size_of_expression(token_range r, node* e, bool alignment) {
  if (bare(e)->is_bit_field) {
    report_.error(r.at, std::string("invalid application of '") +
                            (alignment ? "_Alignof" : "sizeof") + "' to a bit-field");
    return error_node(r);
  }
  if (!is_measurable(r.at, e->type.of, alignment)) return error_node(r);
  const node_kind kind = alignment ? node_kind::alignof_expression : node_kind::sizeof_expression;
  node* made = new_expression(kind, r, {types_.size_type(), 0}, {e});
  made->translate |= e->type->kind == type_kind::spread_array;
  return made;
}

// sizeof ( type-name ), _Alignof ( type-name )
node* size_rules::size_of_type(token_range r, written_type* of, bool alignment) {
  if (!is_measurable(r.at, of->type.of, alignment)) return error_node(r);
  const node_kind kind = alignment ? node_kind::alignof_type : node_kind::sizeof_type;
  node* made = new_expression(kind, r, {types_.size_type(), 0});
  made->written = of;
  made->translate = of->translate;
  return made;
}

// __builtin_offsetof ( type-name , member-designator )
node* size_rules::offset_of(token_range r, written_type* of, std::span<node* const> designators) {
  const type* t = of->type.of;
  for (node* d : designators) {
    if (d->kind == node_kind::designator_index) {
      if (t->kind != type_kind::array) {
        report_.error(d->at, "subscripted value is neither array nor pointer nor vector");
        return error_node(r);
      }
      t = t->target.of;
      continue;
    }
    const identifier* name = tokens_.tokens[d->last - 1].name;
    if (!is_record(t) || !t->record->is_complete) {
      report_.error(
          d->at, "request for member " + quoted(name) + " in something not a structure or union");
      return error_node(r);
    }
    d->accessed = find_member(*t->record, name);
    if (!d->accessed) {
      report_.error(d->at, quoted({t, 0}) + " has no member named " + quoted(name));
      return error_node(r);
    }
    t = d->accessed->type.of;
  }
  node* made = make(node_kind::offset_of, r, designators);
  made->type = {types_.size_type(), 0};
  made->written = of;
  made->translate |= of->translate;
  return made;
}

}  // namespace splitcc
