// SPDX-License-Identifier: Apache-2.0
// The addresses of global lvalues: what is reached through a global or spread pointer, and blocks
// of spread arrays with their elements.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

bool is_spread_array(const node* e) { return e->type->kind == type_kind::spread_array; }

// A declared spread array, as opposed to rows behind a pointer.
bool is_array_name(const node* e) { return e->kind == node_kind::name && is_spread_array(e); }

}  // namespace

// Of spread arrays: the pointer to the first block.
void emission::address(const node* lvalue) {
  const node* n = bare(lvalue);
  switch (n->kind) {
    case node_kind::unary:
      return expression(n->children[0], power::cast);  // of star
    case node_kind::index:
      return element_address(n);
    case node_kind::member:
    case node_kind::arrow:
      return member_address(n);
    case node_kind::real:
      return address(n->children[0]);
    case node_kind::choose:
      return address(n->children[n->chosen]);
    case node_kind::generic:
      return address(n->children[n->chosen]->children[0]);
    case node_kind::imaginary:
      out_.text("(");
      address(n->children[0]);
      return out_.text(" + " + size_of_type(n->type) + ")");
    case node_kind::conditional: {
      out_.text("(");
      expression(n->children[0], power::logical_or);
      out_.text(" ? ");
      address(n->children[1]);
      out_.text(" : ");
      address(n->children[2]);
      return out_.text(")");
    }
    case node_kind::binary:  // comma
      out_.text("(");
      effect(n->children[0]);
      out_.text(", ");
      address(n->children[1]);
      return out_.text(")");
    default:
      return expression(n, power::assignment);  // the name of a spread array
  }
}

// array [ number ], or the other way round.
void emission::element_address(const node* n) {
  const node* pointer = n->children[0];
  const node* number = n->children[1];
  if (is_spread_array(n)) return block_address(n);
  if (pointer->kind == node_kind::convert && pointer->converts == conversion::decay_to_spread)
    return block_address(n);
  if (pointer->type->kind == type_kind::vector) {
    out_.text("splitc_step(");
    address(pointer);
    out_.text(", ");
    expression(number, power::assignment);
    return out_.text(", " + size_of_type(n->type) + ")");
  }
  if (!is_any_pointer(pointer->type.of)) std::swap(pointer, number);
  step(pointer, number, false);
}

// What rows of blocks hang on: a declared array, or a pointer.
const node* emission::base_of_rows(const node* rows) {
  rows = bare(rows);
  if (rows->kind == node_kind::convert) return base_of_rows(rows->children[0]);
  if (is_array_name(rows)) return rows;
  if (rows->kind == node_kind::unary) return rows->children[0];
  if (rows->kind == node_kind::index && is_any_pointer(rows->children[0]->type.of) &&
      rows->children[0]->converts != conversion::decay_to_spread)
    return rows->children[0];
  return rows->kind == node_kind::index ? base_of_rows(rows->children[0]) : rows;
}

// The number of a row, or of a block, counted from the base: row-major.
void emission::row_number(const node* rows, const node* base) {
  rows = bare(rows);
  if (rows->kind == node_kind::convert) rows = bare(rows->children[0]);
  if (rows == base || rows->kind != node_kind::index) return out_.text("0");
  const node* whole = bare(rows->children[0]);
  if (whole->kind == node_kind::convert && whole != base) whole = bare(whole->children[0]);
  if (whole == bare(base)) return expression(rows->children[1], power::cast);
  out_.text("((");
  row_number(whole, base);
  out_.text(") * (long)(" + bound(whole->type->spread_bounds.front()) + ") + ");
  expression(rows->children[1], power::multiplicative);
  out_.text(")");
}

// Of a block, or of the first block of a row.
void emission::block_address(const node* n) {
  const node* base = base_of_rows(n);
  out_.text(is_array_name(base) ? "splitc_block(" : "splitc_step_spread(");
  expression(base, power::assignment);
  out_.text(", ");
  row_number(n, base);
  qualified_type block = n->type;
  if (is_spread_array(n)) {
    out_.text(" * " + blocks(n->type.of));
    block = n->type->target;
  }
  out_.text(", " + size_of_type(block) + ")");
}

void emission::member_address(const node* n) {
  const node* object = n->children[0];
  const bool is_arrow = n->kind == node_kind::arrow;
  out_.text("(");
  if (is_arrow)
    expression(object, power::additive);
  else
    address(object);
  out_.text(" + ");
  member_offset(is_arrow ? object->type->target : object->type, n->accessed);
  out_.text(")");
}

void emission::member_offset(qualified_type object, const member* m) {
  out_.text("__builtin_offsetof(" + type_name({object.of, 0}) + ", " + std::string(m->name->text) +
            ")");
}

}  // namespace splitcc
