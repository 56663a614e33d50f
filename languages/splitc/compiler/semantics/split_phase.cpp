// SPDX-License-Identifier: Apache-2.0
// The assignments of Split-C: `:=` is a get, a put or neither, `:-` a store, by the places of its
// sides. Their value is void.
//
//   left     right    :=                            :-
//   local    global   get: the right side stays a   read, then `=`
//                     global lvalue without a read
//   global   value    put                           store
//   global   global   read, then put                read, then store
//   local    value    `=`                           `=`
//
// The node's operator says what is left to do: split_phase or store, or else assign.
#include "languages/splitc/compiler/semantics/arithmetic.hpp"
#include "languages/splitc/compiler/semantics/assignments.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

// Whether the bits of an object of the one type are those of the same value in the other.
bool same_representation(const type* a, const type* b) {
  if (a == b) return true;
  if (is_any_pointer(a) && is_any_pointer(b)) return is_wide_pointer(a) == is_wide_pointer(b);
  if (is_integer(a) && is_integer(b)) return width_of(a) == width_of(b);
  return same_type(a, b);
}

bool is_bit_field(const node* e) { return bare(e)->is_bit_field; }

}  // namespace

bool assignment_operators::is_get(node* left, node* right) {
  const type *to = left->type.of, *from = right->type.of;
  if (is_global_lvalue(left) || !is_global_lvalue(right)) return false;
  if (is_bit_field(left) || is_bit_field(right) || is_pointer_to_rows(from)) return false;
  if (!is_scalar(to) && !is_record(to) && to->kind != type_kind::vector) return false;
  if (is_record(to) && !is_complete(to)) return false;
  entity* object = object_of(left);
  if (object && object->where == storage::register_) return false;
  if (!same_representation(from, to)) return false;
  if (object) object->address_taken = true;
  return true;
}

node* assignment_operators::split_phase_assignment(token_range r, punctuator op, node* left,
                                                   node* right) {
  assigned_as use;
  use.at = r.at;
  if (!is_assignable(r, left, "assignment")) {
    right = operand(right);
  } else if (op == punctuator::split_phase && is_get(left, right)) {
    if (is_any_pointer(left->type.of)) check_pointees(right, right->type.of, left->type.of, use);
  } else {
    right = convert_for(right, {left->type.of, 0}, use);
    if (!is_global_lvalue(left)) op = punctuator::assign;
  }
  node* made = new_expression(node_kind::assignment, r, {void_type(), 0}, {left, right});
  made->op = op;
  made->translate = true;
  return made;
}

}  // namespace splitcc
