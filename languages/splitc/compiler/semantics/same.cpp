// SPDX-License-Identifier: Apache-2.0
// When two types are compatible, and what they make together. (C17 6.2.7, 6.7.6.)
#include "languages/splitc/compiler/semantics/types.hpp"

namespace splitcc {
namespace {

bool bounds_agree(const type* a, const type* b) {
  if (a->bound != bound_kind::constant || b->bound != bound_kind::constant) return true;
  return a->count == b->count;
}

// A parameter whose type is a transparent union goes with one of a member's type.
bool parameter_agrees(const type* a, const type* b) {
  if (same_type(a, b)) return true;
  const bool a_is_union = a->kind == type_kind::union_ && a->record->is_transparent;
  const type* whole = a_is_union ? a : b;
  if (whole->kind != type_kind::union_ || !whole->record->is_transparent) return false;
  for (const member& m : whole->record->members)
    if (same_type(m.type.of, a_is_union ? b : a)) return true;
  return false;
}

// Without a prototype nothing is known of the parameters; what a promotion would make of them is
// left to the C compiler.
bool parameters_agree(const type* a, const type* b) {
  if (!a->prototyped || !b->prototyped) return true;
  if (a->variadic != b->variadic || a->parameters.size() != b->parameters.size()) return false;
  for (std::size_t i = 0; i < a->parameters.size(); ++i)
    if (!parameter_agrees(a->parameters[i].type.of, b->parameters[i].type.of)) return false;
  return true;
}

bool enumeration_agrees(const type* e, const type* other) {
  if (other->kind == type_kind::enumeration) return e->enumeration == other->enumeration;
  return e->enumeration->underlying->kind == other->kind;
}

qualified_type composite_target(type_table& types, const type* a, const type* b) {
  const type* both = composite(types, a->target.of, b->target.of);
  return {both, static_cast<std::uint8_t>(a->target.qualifiers | b->target.qualifiers)};
}

const type* composite_array(type_table& types, const type* a, const type* b) {
  const qualified_type element = composite_target(types, a, b);
  const bool take_a = b->bound == bound_kind::unknown || b->bound == bound_kind::star ||
                      (b->bound == bound_kind::variable && a->bound == bound_kind::constant);
  const type* bounds = take_a ? a : b;
  if (element.of == bounds->target.of && element.qualifiers == bounds->target.qualifiers)
    return bounds;
  type* both = types.copy(bounds);
  both->target = element;
  return both;
}

// The names of the parameters are b's, as its declaration is the later one.
const type* composite_function(type_table& types, const type* a, const type* b) {
  if (a->prototyped && !b->prototyped) return a;
  const qualified_type result = composite_target(types, a, b);
  bool changed = result.of != b->target.of;
  std::vector<parameter> parameters = b->parameters;
  if (a->prototyped && b->prototyped && a->parameters.size() == parameters.size())
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const type* both = composite(types, a->parameters[i].type.of, parameters[i].type.of);
      changed |= both != parameters[i].type.of;
      parameters[i].type.of = both;
    }
  if (!changed) return b;
  return types.function_of(result, std::move(parameters), b->variadic, b->prototyped);
}

}  // namespace

bool same_type(const type* a, const type* b) {
  if (a == b) return true;
  if (a->kind == type_kind::error || b->kind == type_kind::error) return true;
  if (a->kind == type_kind::enumeration) return enumeration_agrees(a, b);
  if (b->kind == type_kind::enumeration) return enumeration_agrees(b, a);
  if (a->kind != b->kind) return false;
  switch (a->kind) {
    case type_kind::pointer:
      return a->view == b->view && same_type(a->target, b->target);
    case type_kind::array:
      return bounds_agree(a, b) && same_type(a->target, b->target);
    case type_kind::spread_array:
      return a->spread_bounds.size() == b->spread_bounds.size() && same_type(a->target, b->target);
    case type_kind::function:
      return same_type(a->target.of, b->target.of) && parameters_agree(a, b);
    case type_kind::structure:
    case type_kind::union_:
      return a->record == b->record;
    case type_kind::vector:
      return a->count == b->count && same_type(a->target.of, b->target.of);
    case type_kind::complex:
      return same_type(a->target.of, b->target.of);
    default:
      return true;
  }
}

bool same_type(qualified_type a, qualified_type b) {
  if (a->kind == type_kind::array && b->kind == type_kind::array) {
    // A qualifier of an array is one of its elements.
    const auto with = [](qualified_type array) {
      const unsigned both = array.qualifiers | array->target.qualifiers;
      return qualified_type{array->target.of, static_cast<std::uint8_t>(both)};
    };
    return bounds_agree(a.of, b.of) && same_type(with(a), with(b));
  }
  return a.qualifiers == b.qualifiers && same_type(a.of, b.of);
}

const type* composite(type_table& types, const type* a, const type* b) {
  if (a == b || a->kind != b->kind) return b;
  switch (a->kind) {
    case type_kind::array:
      return composite_array(types, a, b);
    case type_kind::function:
      return composite_function(types, a, b);
    case type_kind::pointer: {
      const qualified_type target = composite_target(types, a, b);
      if (target.of == b->target.of && target.qualifiers == b->target.qualifiers) return b;
      return types.pointer_to(target, b->view);
    }
    default:
      return b;
  }
}

}  // namespace splitcc
