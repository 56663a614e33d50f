// SPDX-License-Identifier: Apache-2.0
// Arithmetic and comparison of global and spread pointers.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

bool is_null(const node* e) {
  e = bare(e);
  return e->is_null_constant ||
         (e->kind == node_kind::convert && e->converts == conversion::null_to_global);
}

}  // namespace

// == != < > <= >= of which one side is a global or spread pointer.
void emission::compare(const node* n) {
  const node* left = n->children[0];
  const node* right = n->children[1];
  const bool for_equality = n->op == punctuator::equal || n->op == punctuator::not_equal;
  if (for_equality && (is_null(left) || is_null(right))) {
    out_.text(n->op == punctuator::equal ? "(!splitc_truth(" : "(splitc_truth(");
    expression(is_null(left) ? right : left, power::assignment);
    return out_.text("))");
  }
  const type* t = is_wide_pointer(left->type.of) ? left->type.of : right->type.of;
  const char* number = for_equality               ? "("
                       : t->view == reach::spread ? "splitc_order_spread("
                                                  : "splitc_address(";
  out_.text("(");
  for (const node* side : {left, right}) {
    out_.text(number);
    expression(side, power::assignment);
    out_.text(")");
    if (side == left) out_.text(" " + std::string(spelling(n->op)) + " ");
  }
  out_.text(")");
}

std::string emission::element_bytes(const type* pointer_type) {
  const qualified_type element = pointer_type->target;
  return size_of_type(element->kind == type_kind::spread_array ? element->target : element);
}

// How many elements on; of a pointer to rows of blocks, how many blocks.
void emission::element_number(const node* number, const type* pointer_type) {
  const type* element = pointer_type->target.of;
  if (element->kind != type_kind::spread_array) return expression(number, power::assignment);
  out_.text("(");
  expression(number, power::cast);
  out_.text(") * " + blocks(element));
}

void emission::step_by(std::string_view pointer, const node* number, bool backwards,
                       const type* pointer_type) {
  const bool is_walk = !number && pointer_type->view == reach::spread &&
                       pointer_type->target->kind != type_kind::spread_array;
  if (is_walk) {
    out_.text(backwards ? "splitc_previous_spread(" : "splitc_next_spread(");
    out_.text(pointer);
    return out_.text(", " + element_bytes(pointer_type) + ")");
  }
  out_.text(pointer_type->view == reach::spread ? "splitc_step_spread(" : "splitc_step(");
  out_.text(pointer);
  out_.text(backwards ? ", -(long)(" : ", ");
  if (number)
    element_number(number, pointer_type);
  else
    out_.text("1");
  out_.text((backwards ? "), " : ", ") + element_bytes(pointer_type) + ")");
}

void emission::step(const node* pointer, const node* number, bool backwards) {
  out_.text(pointer->type->view == reach::spread ? "splitc_step_spread(" : "splitc_step(");
  expression(pointer, power::assignment);
  out_.text(backwards ? ", -(long)(" : ", ");
  element_number(number, pointer->type.of);
  out_.text((backwards ? "), " : ", ") + element_bytes(pointer->type.of) + ")");
}

void emission::difference(const node* n) {
  const type* t = n->children[0]->type.of;
  out_.text(t->view == reach::spread ? "splitc_distance_spread(" : "splitc_distance(");
  expression(n->children[0], power::assignment);
  out_.text(", ");
  expression(n->children[1], power::assignment);
  out_.text(", " + element_bytes(t) + ")");
}

// += -= ++ -- of a pointer object that is local.
void emission::advance_local(const node* lvalue, const node* number, bool backwards, bool gives_old,
                             bool is_used) {
  const type* t = lvalue->type.of;
  if (is_repeatable(lvalue) && (!gives_old || !is_used)) {
    out_.text("(");
    expression(lvalue, power::unary);
    out_.text(" = ");
    step_by(out_.captured([&] { expression(lvalue, power::assignment); }), number, backwards, t);
    return out_.text(")");
  }
  const std::string at = new_name(), old = new_name();
  if (is_repeatable(lvalue)) {
    out_.text("({ const splitc_bits " + old + " = ");
    expression(lvalue, power::assignment);
    out_.text("; ");
    expression(lvalue, power::unary);
  } else {
    out_.text("({ splitc_bits *const " + at + " = (splitc_bits *)&(");
    expression(lvalue, power::unary);
    out_.text("); const splitc_bits " + old + " = *" + at + "; *" + at);
  }
  out_.text(" = ");
  step_by(old, number, backwards, t);
  if (gives_old)
    out_.text("; " + old + "; })");
  else
    out_.text("; })");
}

}  // namespace splitcc
