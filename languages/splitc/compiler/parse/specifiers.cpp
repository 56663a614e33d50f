// SPDX-License-Identifier: Apache-2.0
// Declaration specifiers, and type names. (C17 6.7.1 to 6.7.5, 6.7.7.)
#include <algorithm>
#include <iterator>

#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// declaration-specifiers:
//   specifier*
// None at all: what follows is a declarator of type int.
void parser::specifiers(specifier_parts& s) {
  const nesting level(*this);
  s.first = at_;
  type_words words;
  while (specifier(s, words)) continue;
  s.last = at_;
  finish_specifiers(s, words);
}

void parser::finish_specifiers(specifier_parts& s, const type_words& words) {
  if (words.has_word()) {
    s.has_type = true;
    s.type = {type_of_words(words, s.first), 0};
  } else if (!words.has_other) {
    if (unknown_type_name()) {
      error(at_, no_such_type());
      advance();
      type_words rest;
      while (specifier(s, rest)) continue;
      s.last = at_;
      s.has_type = true;
      s.type = rest.has_word() ? qualified_type{type_of_words(rest, s.first), 0} : error_type();
    } else {
      s.type = {meaning_.types().basic(type_kind::int_), 0};
    }
  }
  if ((words.qualifiers & kRestrict) && !is_any_pointer(s.type.of) &&
      s.type->kind != type_kind::error)
    error(s.first, "invalid use of 'restrict'");
  s.type = qualified(s.type, words.qualifiers);
}

// specifier:
//   storage-class-specifier
//   type-specifier
//   type-qualifier
//   function-specifier
//   attributes
//   typedef-name            if there is no type-specifier yet
bool parser::specifier(specifier_parts& s, type_words& words) {
  const token& t = now();
  if (t.kind == token_kind::keyword) return specifier_keyword(s, words);
  if (at_attributes()) {
    attributes(s.attributes);
    return true;
  }
  if (words.has_other || words.has_word() || !is_typedef_name(t)) return false;
  const qualified_type named = t.name->ordinary->is->type;
  advance();
  set_type(s, words, named);
  return true;
}

bool parser::specifier_keyword(specifier_parts& s, type_words& words) {
  auto take = [&](auto& flags, auto value) {
    flags = static_cast<std::remove_reference_t<decltype(flags)>>(flags | value);
    advance();
    return true;
  };
  switch (now().word) {
    case keyword::kw_thread_local:
      return take(s.is_thread, true);
    case keyword::kw_inline:
      return take(s.is_inline, true);
    case keyword::kw_noreturn:
    case keyword::kw_extension:
      advance();
      return true;
    case keyword::kw_const:
      return take(words.qualifiers, kConst);
    case keyword::kw_volatile:
      return take(words.qualifiers, kVolatile);
    case keyword::kw_restrict:
      return take(words.qualifiers, kRestrict);
    case keyword::kw_seg_fs:
    case keyword::kw_seg_gs:
      return take(words.qualifiers, kSegment);
    case keyword::kw_atomic:
      if (!is(behind(1), punctuator::left_parenthesis)) return take(words.qualifiers, kAtomic);
      atomic_specifier(s, words);
      return true;
    case keyword::kw_attribute:
      attributes(s.attributes);
      return true;
    case keyword::kw_alignas:
      alignas_specifier(s);
      return true;
    case keyword::kw_struct:
    case keyword::kw_union:
    case keyword::kw_enum:
      tag_specifier(s, words);
      return true;
    case keyword::kw_typeof:
      typeof_specifier(s, words);
      return true;
    case keyword::kw_auto_type:
      advance();
      s.is_auto_type = true;
      set_type(s, words, error_type());
      return true;
    case keyword::kw_builtin_va_list:
      advance();
      set_type(s, words, {meaning_.types().basic(type_kind::va_list), 0});
      return true;
    default:
      return storage_word(s) || type_word(words);
  }
}

bool parser::storage_word(specifier_parts& s) {
  switch (now().word) {
    case keyword::kw_typedef:
      return storage_class(s, storage::typedef_);
    case keyword::kw_extern:
      return storage_class(s, storage::extern_);
    case keyword::kw_static:
      return storage_class(s, storage::static_);
    case keyword::kw_auto:
      return storage_class(s, storage::automatic);
    case keyword::kw_register:
      return storage_class(s, storage::register_);
    default:
      return false;
  }
}

bool parser::storage_class(specifier_parts& s, storage where) {
  if (s.has_storage_class) {
    error(at_, s.where == where ? "duplicate '" + std::string(now().text) + "'"
                                : "multiple storage classes in declaration specifiers");
  }
  s.has_storage_class = true;
  s.where = where;
  advance();
  return true;
}

// A specifier that is a type by itself.
void parser::set_type(specifier_parts& s, type_words& words, qualified_type t) {
  if (words.has_other || words.has_word())
    error(at_ - 1, "two or more data types in declaration specifiers");
  words.has_other = true;
  s.has_type = true;
  s.type = t;
}

// Whether the name here, where no type was specified, can only be meant as one. In a K&R definition
// and a declaration with implicit int, the name of the declarator follows the specifiers.
bool parser::unknown_type_name() const {
  if (now().kind != token_kind::identifier) return false;
  const token& next = behind(1);
  return next.kind == token_kind::identifier || is(next, punctuator::star) ||
         (next.kind == token_kind::keyword && starts_type(next) &&
          !is(next, keyword::kw_attribute));
}

// Of the identifier here. Newcomers to Split-C put `global` where C puts types.
std::string parser::no_such_type() const {
  const std::string name(now().text);
  const bool is_ours = name == "global" || name == "spread";
  return "unknown type name '" + name + "'" +
         (is_ours ? "; it stands behind the '*' that it is about: int *" + name + " p" : "");
}

// tag-specifier:
//   record-specifier
//   enumeration-specifier
void parser::tag_specifier(specifier_parts& s, type_words& words) {
  s.has_tag = true;
  const bool is_enumeration = at(keyword::kw_enum);
  set_type(s, words, is_enumeration ? enumeration_specifier(s) : record_specifier(s));
}

// atomic-type-specifier:
//   _Atomic ( type-name )
void parser::atomic_specifier(specifier_parts& s, type_words& words) {
  advance();
  advance();
  set_type(s, words, qualified(inner_type(s), kAtomic));
}

// type-name )
qualified_type parser::inner_type(specifier_parts& s) {
  written_type* written = type_name();
  expect(punctuator::right_parenthesis);
  s.translate |= written->translate;
  s.is_respelled |= written->translate && !written->in_definitions;
  std::ranges::move(written->records, std::back_inserter(s.records));
  return written->type;
}

// typeof-specifier:
//   typeof ( expression )
//   typeof ( type-name )
void parser::typeof_specifier(specifier_parts& s, type_words& words) {
  advance();
  expect(punctuator::left_parenthesis);
  if (starts_type(now())) return set_type(s, words, inner_type(s));
  const node* e = expression();
  expect(punctuator::right_parenthesis);
  s.is_respelled |= e->translate || e->type->kind == type_kind::spread_array;
  s.translate |= s.is_respelled;
  set_type(s, words, e->type);
}

// alignment-specifier:
//   _Alignas ( type-name )
//   _Alignas ( constant-expression )
void parser::alignas_specifier(specifier_parts& s) {
  advance();
  expect(punctuator::left_parenthesis);
  const std::uint32_t bytes =
      starts_type(now()) ? alignment_of(inner_type(s).of) : constant_alignment(s);
  s.attributes.alignment = std::max(s.attributes.alignment, bytes);
}

// constant-expression )
std::uint32_t parser::constant_alignment(specifier_parts& s) {
  const token_index where = at_;
  node* e = conditional_expression();
  expect(punctuator::right_parenthesis);
  s.is_respelled |= e->translate;
  s.translate |= e->translate;
  const auto n = meaning_.fold(e);
  if (!n) return 0;
  const bool is_power_of_2 = *n >= 0 && (*n & (*n - 1)) == 0 && *n <= (1 << 28);
  if (!is_power_of_2) error(where, "requested alignment is not a positive power of 2");
  return is_power_of_2 ? static_cast<std::uint32_t>(*n) : 0;
}

// type-name:
//   declaration-specifiers [abstract-declarator]
written_type* parser::type_name() {
  const std::size_t parts_used = function_parts_used_;
  specifier_parts s;
  specifiers(s);
  if (!s.has_type && s.is_empty()) {
    if (now().kind != token_kind::identifier) fail("type name");
    fail_with(at_, no_such_type());
  }
  if (s.has_storage_class) error(s.first, "a storage class has no place in a type name");
  declarator_parts d;
  declarator(d, naming::abstract);
  auto* written = meaning_.memory().make<written_type>();
  const qualified_type base = with_attributes(s.type, s.attributes, false);
  written->type = with_attributes(derive(d, base), d.attributes, false);
  written->first = s.first;
  written->last = at_;
  written->translate = s.translate || d.translate;
  written->in_definitions = !d.translate && !s.is_respelled && !s.records.empty();
  written->records = std::move(s.records);
  function_parts_used_ = parts_used;
  return written;
}

// The type with these qualifiers added; those of an array are its elements'.
qualified_type parser::qualified(qualified_type t, std::uint8_t qualifiers) {
  const auto both = static_cast<std::uint8_t>(t.qualifiers | qualifiers);
  if (both == t.qualifiers) return t;
  if (t->kind == type_kind::array) {
    type* copy = meaning_.types().copy(t.of);
    copy->target = qualified(t->target, qualifiers);
    return {copy, t.qualifiers};
  }
  return {t.of, both};
}

}  // namespace splitcc
