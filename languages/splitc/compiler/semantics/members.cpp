// SPDX-License-Identifier: Apache-2.0
// Members of structures and unions: `.` and `->`. (C17 6.5.2.3.) A member of a global lvalue is a
// global lvalue.
#include "languages/splitc/compiler/semantics/operands.hpp"
#include "languages/splitc/compiler/semantics/references.hpp"

namespace splitcc {

// Whose members `name` is looked for in; null if there are none, reported.
const record* reference_rules::record_of(const node* object, const identifier* name, bool arrow) {
  const type* t = value_type(object);
  const type* pointee = t;
  if (arrow) {
    if (!is_any_pointer(t)) {
      report_.error(object->at, "invalid type argument of '->' (have " + quoted({t, 0}) + ")");
      return nullptr;
    }
    pointee = t->target.of;
  }
  if (!arrow && is_any_pointer(t) && is_record(t->target.of)) {
    report_.error(object->at, "'" + text_of(object) + "' is a pointer; did you mean to use '->'?");
    return nullptr;
  }
  if (!is_record(pointee)) {
    report_.error(object->at,
                  "request for member " + quoted(name) + " in something not a structure or union");
    return nullptr;
  }
  if (!pointee->record->is_complete) {
    report_.error(object->at, "invalid use of undefined type " + quoted({pointee, 0}));
    return nullptr;
  }
  return pointee->record;
}

// postfix-expression . identifier, postfix-expression -> identifier
node* reference_rules::member_of(token_range r, node* object, identifier* name, bool arrow) {
  if (arrow) object = operand(object);
  const type* t = value_type(object);
  const node_kind kind = arrow ? node_kind::arrow : node_kind::member;
  if (is_unknown(t)) return new_reference(kind, r, t, {t, 0}, {object});
  const record* of = record_of(object, name, arrow);
  if (!of) return error_node(r);
  std::vector<const member*>& path = member_path_;
  path.clear();
  const member* found = find_member(*of, name, &path);
  const qualified_type whole = arrow ? t->target : object->type;
  if (!found) {
    report_.error(r.at, quoted(whole) + " has no member named " + quoted(name));
    return error_node(r);
  }
  unsigned qualifiers = whole.qualifiers;
  for (const member* step : path) qualifiers |= step->type.qualifiers;
  qualifiers |= found->type.qualifiers;
  const qualified_type type = {found->type.of, static_cast<std::uint8_t>(qualifiers)};
  node* made = new_reference(kind, r, arrow ? t : void_type(), type, {object});
  made->accessed = found;
  made->is_bit_field = found->bits.has_value();
  if (!arrow) {
    made->is_lvalue = object->is_lvalue;
    made->place = object->place;
  }
  return made;
}

}  // namespace splitcc
