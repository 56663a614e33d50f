// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {

bool is_addressable(const node* e) {
  e = bare(e);
  if (!e->is_lvalue || e->place != reach::local || e->is_bit_field) return false;
  switch (e->kind) {
    case node_kind::name:
      return e->referred->where != storage::register_ && !e->referred->is_library;
    case node_kind::member:
      return is_addressable(e->children[0]);
    case node_kind::arrow:
      return true;
    case node_kind::unary:
      return e->op == punctuator::star;
    case node_kind::index:
      return e->children[0]->type->kind != type_kind::vector;
    default:
      return false;
  }
}

bool is_repeatable(const node* e) {
  switch (e->kind) {
    case node_kind::name:
      return true;
    case node_kind::parenthesized:
    case node_kind::member:
      return is_repeatable(e->children[0]);
    default:
      return false;
  }
}

const node* only_read(const node* e) {
  e = bare(e);
  if (e->kind == node_kind::convert && e->converts == conversion::read) return e->children[0];
  return is_global(e) ? e : nullptr;
}

}  // namespace splitcc
