// SPDX-License-Identifier: Apache-2.0
// From pointers to objects and back: *, &, subscripts, addresses of labels. (C17 6.5.2.1, 6.5.3.2;
// Split-C: dereference, address-of, spread arrays.)
//
// What is reached through a global or spread pointer, or lies in a block of a spread array, is a
// global lvalue. Spread subscripts come one at a time: `A[i][j]` of `T A[m][n]::` is an index node
// over an index node, whose type is a spread array of the bounds that are left.
#include "languages/splitc/compiler/semantics/references.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

entity* object_of(node* e) {
  for (;;) {
    e = bare(e);
    switch (e->kind) {
      case node_kind::name:
        return e->referred;
      case node_kind::member:
      case node_kind::real:
      case node_kind::imaginary:
        e = e->children[0];
        break;
      case node_kind::index:
        if (e->children[0]->type->kind != type_kind::array) return nullptr;
        e = e->children[0];
        break;
      default:
        return nullptr;
    }
  }
}

namespace {

// Full subscripts of a spread array without block dimensions: the pointer goes on over all
// processors.
bool is_element_of_spread_array(const node* e) {
  if (e->kind != node_kind::index || e->type->kind == type_kind::array) return false;
  const node* array = e->children[0];
  return array->kind == node_kind::convert && array->converts == conversion::decay_to_spread;
}

}  // namespace

// What `pointer` points to: a global lvalue if it is global or spread.
node* reference_rules::new_reference(node_kind kind, token_range r, const type* pointer,
                                     qualified_type t, std::initializer_list<node*> children) {
  node* made = new_expression(kind, r, t, children);
  made->is_lvalue = t->kind != type_kind::function;
  if (is_wide_pointer(pointer)) {
    made->place = reach::global;
    made->translate = true;
  }
  return made;
}

// * cast-expression
node* reference_rules::dereference(token_range r, node* e) {
  e = operand(e);
  const type* t = value_type(e);
  if (is_unknown(t)) {
    node* made = new_reference(node_kind::unary, r, t, {t, 0}, {e});
    made->op = punctuator::star;
    return made;
  }
  if (!is_any_pointer(t)) {
    report_.error(r.at, "invalid type argument of unary '*' (have " + quoted({t, 0}) + ")");
    return error_node(r);
  }
  if (t->target->kind == type_kind::function) {
    e = with_view(e, types_.pointer_to(t->target));
    t = value_type(e);
  }
  if (t->target->kind == type_kind::void_)
    report_.warning(r.at, "", "dereferencing " + quoted({t, 0}) + " pointer");
  node* made = new_reference(node_kind::unary, r, t, t->target, {e});
  made->op = punctuator::star;
  return made;
}

bool reference_rules::has_address(const node* e) {
  const node* b = bare(e);
  if (b->is_bit_field) {
    report_.error(e->at, "cannot take address of bit-field " + quoted(b->accessed->name));
    return false;
  }
  if (b->type->kind == type_kind::spread_array) {
    report_.error(e->at, "a spread array has no address of its own: '" + text_of(e) +
                             "' is a spread pointer to its first block already");
    return false;
  }
  const entity* object = object_of(const_cast<node*>(e));
  if (object && object->where == storage::register_) {
    report_.error(e->at, "address of register variable " + quoted(object->name) + " requested");
    return false;
  }
  if (object && object->is_library && object->kind == entity_kind::variable) {
    report_.error(e->at, quoted(object->name) + " is a value of the library: it has no address");
    return false;
  }
  return true;
}

// & cast-expression
node* reference_rules::address_of(token_range r, node* e) {
  const bool is_function = e->type->kind == type_kind::function;
  if (!e->is_lvalue && !is_function && !is_unknown(e->type.of)) {
    report_.error(r.at, "lvalue required as unary '&' operand");
    return error_node(r);
  }
  if (!has_address(e)) return error_node(r);
  if (entity* object = object_of(e)) object->address_taken = true;
  reach view = is_global_lvalue(e) ? reach::global : reach::local;
  if (is_element_of_spread_array(bare(e))) view = reach::spread;
  const type* t = is_unknown(e->type.of) ? unknown_type() : types_.pointer_to(e->type, view);
  node* made = new_expression(node_kind::unary, r, {t, 0}, {e});
  made->op = punctuator::ampersand;
  return made;
}

bool reference_rules::is_subscript(const node* subscript) {
  const type* t = value_type(subscript);
  if (is_integer(t) || is_unknown(t)) return true;
  report_.error(subscript->at, "array subscript is not an integer");
  return false;
}

// postfix-expression [ expression ]
node* reference_rules::index(token_range r, node* array, node* subscript) {
  if (array->type->kind == type_kind::spread_array) return index_spread(r, array, subscript);
  if (array->type->kind == type_kind::vector) return element_of_vector(r, array, subscript);
  if (is_pointer_to_rows(array->type.of)) {
    if (is_global_lvalue(array))
      array = new_conversion(array, conversion::read, {array->type.of, 0});
  } else {
    array = operand(array);
  }
  subscript = operand(subscript);
  const type* pointer = value_type(array);
  const node* number = subscript;
  if (!is_any_pointer(pointer) && is_any_pointer(value_type(subscript))) {
    pointer = value_type(subscript);
    number = array;
  }
  if (is_unknown(pointer))
    return new_reference(node_kind::index, r, pointer, {pointer, 0}, {array, subscript});
  if (!is_any_pointer(pointer)) {
    report_.error(r.at, "subscripted value is neither array nor pointer nor vector");
    return error_node(r);
  }
  if (!is_subscript(number)) return error_node(r);
  if (pointer->target->kind == type_kind::function) {
    report_.error(r.at, "subscripted value is pointer to function");
    return error_node(r);
  }
  return new_reference(node_kind::index, r, pointer, pointer->target, {array, subscript});
}

node* reference_rules::element_of_vector(token_range r, node* vector, node* subscript) {
  subscript = operand(subscript);
  if (!is_subscript(subscript)) return error_node(r);
  const qualified_type element = {vector->type->target.of, vector->type.qualifiers};
  node* made = new_expression(node_kind::index, r, element, {vector, subscript});
  made->is_lvalue = vector->is_lvalue;
  made->place = vector->place;
  return made;
}

// A row of blocks; with the last spread subscript, the block.
node* reference_rules::index_spread(token_range r, node* array, node* subscript) {
  subscript = operand(subscript);
  if (!is_subscript(subscript)) return error_node(r);
  const type* t = array->type.of;
  node* made = nullptr;
  if (t->spread_bounds.size() > 1) {
    const std::vector<node*> rest(t->spread_bounds.begin() + 1, t->spread_bounds.end());
    const qualified_type row = {types_.spread_array_of(t->target, rest), 0};
    made = new_expression(node_kind::index, r, row, {array, subscript});
  } else {
    const qualified_type block = {types_.pointer_to(t->target, reach::spread), 0};
    node* first = new_conversion(array, conversion::decay_to_spread, block);
    made = new_expression(node_kind::index, r, t->target, {first, subscript});
  }
  made->is_lvalue = true;
  made->place = reach::global;
  made->translate = true;
  return made;
}

// GNU: && identifier
node* reference_rules::label_address(token_range r, label_target* target) {
  node* made =
      new_expression(node_kind::label_address, r, {types_.pointer_to({void_type(), 0}), 0});
  made->target = target;
  return made;
}

}  // namespace splitcc
