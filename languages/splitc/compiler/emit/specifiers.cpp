// SPDX-License-Identifier: Apache-2.0
// Declaration specifiers, and the definitions of structures, unions and enumerations in them.
#include <algorithm>
#include <utility>

#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {
namespace {

bool is_storage_word(keyword k) {
  switch (k) {
    case keyword::kw_typedef:
    case keyword::kw_extern:
    case keyword::kw_static:
    case keyword::kw_auto:
    case keyword::kw_register:
    case keyword::kw_thread_local:
    case keyword::kw_inline:
    case keyword::kw_noreturn:
    case keyword::kw_extension:
      return true;
    default:
      return false;
  }
}

void append(std::string& text, std::string_view word) {
  if (!text.empty()) text += ' ';
  text += word;
}

// Past the parentheses that follow a word.
token_index past_parentheses(const token_list& tokens, token_index at) {
  int depth = 0;
  do {
    ++at;
    if (is(tokens.tokens[at], punctuator::left_parenthesis)) ++depth;
    if (is(tokens.tokens[at], punctuator::right_parenthesis)) --depth;
  } while (depth > 0);
  return at + 1;
}

// A type that is written to the left of a declarator as a whole.
bool is_base(const type* t) {
  const bool derives =
      t->kind == type_kind::array || t->kind == type_kind::function || is_pointer(t, reach::local);
  return !derives;
}

}  // namespace

void emission::specifiers_as_written(const declaration_info& d) {
  token_index at = d.specifiers_first;
  for (const node* r : d.records) {
    const declaration_info& defined = *r->declared;
    if (!r->translate) continue;
    out_.tokens(at, defined.brace_first);
    definition(r);
    at = defined.brace_last;
  }
  out_.tokens(at, d.specifiers_last);
}

// { members }, { enumerators }
void emission::definition(const node* n) {
  const declaration_info& d = *n->declared;
  if (!n->translate) return out_.tokens(d.brace_first, d.brace_last);
  out_.tokens(d.brace_first, d.brace_first + 1);
  if (d.enumerates) {
    enumerators(d);
  } else {
    members(d);
  }
  out_.tokens(d.brace_last - 1, d.brace_last);
}

void emission::members(const declaration_info& d) {
  const bool in_record = std::exchange(in_record_, true);
  for (const node* m : d.members) {
    if (!m) continue;
    out_.text(" ");
    statement(m);
  }
  in_record_ = in_record;
}

void emission::enumerators(const declaration_info& d) {
  for (const entity* e : d.enumerators) {
    const bool is_big = e->value > INT64_MAX;
    const bool is_least = e->value == INT64_MIN;
    const auto value = static_cast<std::int64_t>(e->value);
    std::string number = is_big ? std::to_string(static_cast<std::uint64_t>(e->value)) + "ul"
                                : std::to_string(value);
    if (is_least) number = "(-9223372036854775807 - 1)";
    out_.text(std::string(e->name->text) + " = " + number + ", ");
  }
}

// The definitions in specifiers as declarations of their own, so that their tags can be repeated.
// Among members such a declaration would be a member, or is warned of.
void emission::definitions_apart(const declaration_info& d) {
  for (const node* r : d.records) {
    if (in_record_) out_.text("__extension__ _Static_assert(1 + sizeof(");
    definition_apart(r);
    out_.text(in_record_ ? "), \"\"); " : "; ");
  }
}

// struct tag { members }
void emission::definition_apart(const node* r) {
  const declaration_info& defined = *r->declared;
  out_.tokens(defined.specifiers_first, defined.brace_first);
  definition(r);
  out_.tokens(defined.brace_last, defined.specifiers_last);
}

// What is said of the declared name, and the type.
emission::specifier_text emission::specifiers_apart(const declaration_info& d) {
  specifier_text made;
  made.base.type = d.base;
  std::string& base = made.base.text;
  token_index i = d.specifiers_first;
  token_index attribute_last = i;
  while (i < d.specifiers_last) {
    const token& t = tokens_.tokens[i];
    const bool is_alignment = is(t, keyword::kw_alignas);
    if (is_alignment && d.specifiers_respelled && d.alignment) {
      append(made.storage, "_Alignas(" + std::to_string(d.alignment) + ")");
      i = past_parentheses(tokens_, i);
      continue;
    }
    if (is_alignment || is(t, keyword::kw_attribute)) attribute_last = past_parentheses(tokens_, i);
    std::string& text = i < attribute_last || is_storage_word(t.word) ? made.storage : base;
    const auto defined = std::ranges::find_if(
        d.records, [&](const node* r) { return r->declared->specifiers_first == i; });
    if (defined != d.records.end()) {
      const declaration_info& record = *(*defined)->declared;
      append(text, declared_base(record.base, nullptr));
      i = record.specifiers_last;
    } else {
      append(text, t.text);
      ++i;
    }
  }
  if (d.specifiers_respelled) {
    if (is_base(d.base.of))
      base = type_name(d.base);
    else
      made.base.type = {};
  }
  if (base.empty()) base = "int";
  return made;
}

}  // namespace splitcc
