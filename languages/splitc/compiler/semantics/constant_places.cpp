// SPDX-License-Identifier: Apache-2.0
// Constants that come of sizes, places in records, and addresses written as numbers.
#include <algorithm>

#include "languages/splitc/compiler/semantics/folding.hpp"
#include "languages/splitc/compiler/semantics/types.hpp"

namespace splitcc {
namespace {

constant bytes_of(const type* t) {
  const auto bytes = size_of(t);
  return bytes ? constant(*bytes) : std::nullopt;
}

// Where a member of an object lies in it, those of unnamed structures included.
constant place_in(const type* object, const member* m) {
  if (!m || !m->name || m->bits || !is_record(object)) return std::nullopt;
  std::vector<const member*> path;
  if (!find_member(*object->record, m->name, &path)) return std::nullopt;
  __int128 bytes = 0;
  for (const member* step : path) {
    if (!object->record->layout_is_known) return std::nullopt;
    bytes += step->offset;
    object = step->type.of;
  }
  return bytes;
}

// What __alignof__ says of an expression: of a variable, of a member, else of the type.
std::uint32_t alignment_of_object(const node* e) {
  while (e->kind == node_kind::parenthesized) e = e->children[0];
  const std::uint32_t natural = alignment_of(e->type.of);
  if (e->kind == node_kind::name && e->referred && e->referred->alignment_asked)
    return e->referred->alignment_asked;
  if ((e->kind != node_kind::member && e->kind != node_kind::arrow) || !e->accessed) return natural;
  const type* object = e->children[0]->type.of;
  if (e->kind == node_kind::arrow) object = object->target.of;
  if (!is_record(object)) return natural;
  const bool is_packed = e->accessed->packed || object->record->packed;
  const std::uint32_t least = std::max(is_packed ? 1 : natural, e->accessed->alignment_asked);
  return object->record->pack ? std::min(least, object->record->pack) : least;
}

bool is_local_pointer(const node* e) { return e->type && is_pointer(e->type.of, reach::local); }

}  // namespace

constant folder::size(const node* e) const {
  const bool of_type = e->kind == node_kind::sizeof_type || e->kind == node_kind::alignof_type;
  const type* t = of_type ? e->written->type.of : e->children[0]->type.of;
  if (!t || t->kind == type_kind::error) return std::nullopt;
  if (e->kind == node_kind::sizeof_type || e->kind == node_kind::sizeof_expression)
    return bytes_of(t);
  if (is_record(t) && !t->record->layout_is_known) return std::nullopt;
  return of_type ? alignment_of(t) : alignment_of_object(e->children[0]);
}

// __builtin_offsetof: the designators lead from the record to the member.
constant folder::offset(const node* e) const {
  const type* t = e->written->type.of;
  __int128 bytes = 0;
  for (const node* d : e->children) {
    if (d->kind == node_kind::designator_index) {
      const constant index = integer(d->children[0]);
      if (!index || t->kind != type_kind::array) return std::nullopt;
      t = t->target.of;
      const constant element = bytes_of(t);
      if (!element) return std::nullopt;
      bytes += *index * *element;
      continue;
    }
    const constant place = place_in(t, d->accessed);
    if (!place) return std::nullopt;
    bytes += *place;
    t = d->accessed->type.of;
  }
  return bytes;
}

constant folder::pointer_step(const node* pointer, const node* index, bool back) const {
  const bool is_array = pointer->type->kind == type_kind::array;
  const constant start = is_array ? address_of_lvalue(pointer) : address(pointer);
  const constant steps = integer(index);
  if (!start || !steps) return std::nullopt;
  const constant element = bytes_of(pointer->type->target.of);
  if (!element) return std::nullopt;
  return back ? *start - *steps * *element : *start + *steps * *element;
}

constant folder::address(const node* e) const {
  if (!e->type) return std::nullopt;
  if (e->type->kind == type_kind::array) return address_of_lvalue(e);
  if (!is_any_pointer(e->type.of)) return std::nullopt;
  switch (e->kind) {
    case node_kind::parenthesized:
      return address(e->children[0]);
    case node_kind::convert:
      if (e->converts == conversion::null_to_global) return 0;
      if (e->converts == conversion::decay) return address_of_lvalue(e->children[0]);
      if (e->converts != conversion::arithmetic) return std::nullopt;
      [[fallthrough]];
    case node_kind::cast: {
      const node* from = e->children[0];
      if (from->type && is_integer(from->type.of)) return integer(from);
      return is_local_pointer(e) ? address(from) : std::nullopt;
    }
    case node_kind::unary:
      if (e->op != punctuator::ampersand) return std::nullopt;
      return address_of_lvalue(e->children[0]);
    case node_kind::binary: {
      const node *left = e->children[0], *right = e->children[1];
      const bool back = e->op == punctuator::minus;
      if (!is_local_pointer(e) || (!back && e->op != punctuator::plus)) return std::nullopt;
      if (right->type && is_integer(right->type.of)) return pointer_step(left, right, back);
      return pointer_step(right, left, false);
    }
    default:
      return std::nullopt;
  }
}

constant folder::address_of_lvalue(const node* e) const {
  if (!e->type || e->place != reach::local) return std::nullopt;
  switch (e->kind) {
    case node_kind::parenthesized:
      return address_of_lvalue(e->children[0]);
    case node_kind::unary:
      return e->op == punctuator::star ? address(e->children[0]) : std::nullopt;
    case node_kind::index: {
      const node *left = e->children[0], *right = e->children[1];
      const bool swapped = left->type && is_integer(left->type.of);
      return swapped ? pointer_step(right, left, false) : pointer_step(left, right, false);
    }
    case node_kind::member:
    case node_kind::arrow: {
      const node* object = e->children[0];
      const bool arrow = e->kind == node_kind::arrow;
      const constant start = arrow ? address(object) : address_of_lvalue(object);
      const type* t = arrow ? object->type->target.of : object->type.of;
      const constant place = start && t ? place_in(t, e->accessed) : std::nullopt;
      return place ? constant(*start + *place) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace splitcc
