// SPDX-License-Identifier: Apache-2.0
// Making types, and what kind of type one is. (C17 6.2.5.)
#include "languages/splitc/compiler/semantics/types.hpp"

#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

type_table::type_table(arena& memory) : memory_(memory) {
  for (int k = 0; k <= static_cast<int>(type_kind::va_list); ++k)
    basic_.push_back(make(static_cast<type_kind>(k)));
}

std::size_t type_table::pointer_hash::operator()(const pointer_key& k) const {
  const auto address = reinterpret_cast<std::uintptr_t>(k.target);
  return (address >> 4) * 31 + k.qualifiers * 3u + static_cast<std::size_t>(k.view);
}

type* type_table::make(type_kind kind) {
  type* t = memory_.make<type>();
  t->kind = kind;
  return t;
}

void type_table::make_char_unsigned() {
  basic_[static_cast<std::size_t>(type_kind::char_)]->char_is_unsigned = true;
}

const type* type_table::basic(type_kind k) const { return basic_[static_cast<std::size_t>(k)]; }

const type* type_table::complex_of(const type* element) {
  type*& t = complex_[element];
  if (!t) {
    t = make(type_kind::complex);
    t->target = {element, 0};
  }
  return t;
}

const type* type_table::pointer_to(qualified_type target, reach view) {
  auto new_pointer = [&] {
    type* t = make(type_kind::pointer);
    t->target = target;
    t->view = view;
    return t;
  };
  if (target.qualifiers == 0) {
    const type*& kept = const_cast<type*>(target.of)->pointers_to[static_cast<std::size_t>(view)];
    if (!kept) kept = new_pointer();
    return kept;
  }
  type*& kept = pointers_to_qualified_[{target.of, target.qualifiers, view}];
  if (!kept) kept = new_pointer();
  return kept;
}

type* type_table::array_of(qualified_type element, bound_kind bound, std::uint64_t count,
                           node* bound_node) {
  type* t = make(type_kind::array);
  t->target = element;
  t->bound = bound;
  t->count = count;
  t->bound_node = bound_node;
  return t;
}

type* type_table::spread_array_of(qualified_type block, std::vector<node*> bounds) {
  type* t = make(type_kind::spread_array);
  t->target = block;
  t->spread_bounds = std::move(bounds);
  return t;
}

type* type_table::function_of(qualified_type result, std::vector<parameter> parameters,
                              bool variadic, bool prototyped) {
  type* t = make(type_kind::function);
  t->target = result;
  t->parameters = std::move(parameters);
  t->variadic = variadic;
  t->prototyped = prototyped;
  return t;
}

type* type_table::record_type(bool is_union, identifier* tag, token_index at) {
  type* t = make(is_union ? type_kind::union_ : type_kind::structure);
  t->record = memory_.make<record>();
  t->record->tag = tag;
  t->record->is_union = is_union;
  t->record->at = at;
  return t;
}

type* type_table::enumeration_type(identifier* tag, token_index at) {
  type* t = make(type_kind::enumeration);
  t->enumeration = memory_.make<enumeration>();
  t->enumeration->tag = tag;
  t->enumeration->underlying = basic(type_kind::unsigned_int);
  t->enumeration->at = at;
  return t;
}

const type* type_table::vector_of(const type* element, std::uint64_t count) {
  type* t = make(type_kind::vector);
  t->target = {element, 0};
  t->count = count;
  return t;
}

type* type_table::copy(const type* original) {
  type* t = memory_.make<type>(*original);
  for (const type*& p : t->pointers_to) p = nullptr;
  return t;
}

bool is_integer(const type* t) {
  return (t->kind >= type_kind::bool_ && t->kind <= type_kind::unsigned_int128) ||
         t->kind == type_kind::enumeration;
}

bool is_floating(const type* t) {
  return t->kind >= type_kind::float16 && t->kind <= type_kind::decimal128;
}

bool is_arithmetic(const type* t) {
  return is_integer(t) || is_floating(t) || t->kind == type_kind::complex;
}

bool is_scalar(const type* t) { return is_arithmetic(t) || t->kind == type_kind::pointer; }

bool is_unsigned(const type* t) {
  switch (t->kind) {
    case type_kind::bool_:
    case type_kind::unsigned_char:
    case type_kind::unsigned_short:
    case type_kind::unsigned_int:
    case type_kind::unsigned_long:
    case type_kind::unsigned_long_long:
    case type_kind::unsigned_int128:
      return true;
    case type_kind::char_:
      return t->char_is_unsigned;
    case type_kind::enumeration:
      return is_unsigned(t->enumeration->underlying);
    default:
      return false;
  }
}

bool is_record(const type* t) {
  return t->kind == type_kind::structure || t->kind == type_kind::union_;
}

bool is_pointer(const type* t, reach view) {
  return t->kind == type_kind::pointer && t->view == view;
}

bool is_any_pointer(const type* t) { return t->kind == type_kind::pointer; }

bool is_wide_pointer(const type* t) {
  return t->kind == type_kind::pointer && t->view != reach::local;
}

bool is_complete(const type* t) {
  switch (t->kind) {
    case type_kind::void_:
      return false;
    case type_kind::array:
      return t->bound != bound_kind::unknown && is_complete(t->target.of);
    case type_kind::spread_array:
      return is_complete(t->target.of);
    case type_kind::structure:
    case type_kind::union_:
      return t->record->is_complete;
    case type_kind::enumeration:
      return t->enumeration->is_complete;
    default:
      return true;
  }
}

bool is_variably_modified(const type* t) {
  switch (t->kind) {
    case type_kind::array:
      return t->bound == bound_kind::variable || t->bound == bound_kind::star ||
             is_variably_modified(t->target.of);
    case type_kind::spread_array:
      return true;
    case type_kind::pointer:
    case type_kind::function:
      return is_variably_modified(t->target.of);
    default:
      return false;
  }
}

bool has_wide_part(const type* t) {
  switch (t->kind) {
    case type_kind::pointer:
      return t->view != reach::local || has_wide_part(t->target.of);
    case type_kind::array:
      return has_wide_part(t->target.of);
    case type_kind::spread_array:
      return true;
    case type_kind::function:
      for (const parameter& p : t->parameters)
        if (has_wide_part(p.type.of)) return true;
      return has_wide_part(t->target.of);
    default:
      return false;
  }
}

}  // namespace splitcc
