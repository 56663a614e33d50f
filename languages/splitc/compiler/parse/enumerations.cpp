// SPDX-License-Identifier: Apache-2.0
// Enumerations. (C17 6.7.2.2.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// enumeration-specifier:
//   enum [attributes] identifier
//   enum [attributes] [identifier] { enumerator {, enumerator} [,] } [attributes]
qualified_type parser::enumeration_specifier(specifier_parts& s) {
  const token_index first = at_;
  advance();
  attribute_set a;
  attributes(a);
  identifier* tag = nullptr;
  const token_index tag_at = at_;
  if (now().kind == token_kind::identifier) {
    tag = now().name;
    advance();
    attributes(a);
  }
  const bool defines = at(punctuator::left_brace);
  if (!tag && !defines) fail("identifier or '{'");
  type* t = enumeration_of_tag(tag, tag ? tag_at : first, defines);
  if (!defines) {
    s.attributes.add(a);
    return {t, 0};
  }
  node* body = enumeration_body(t, first, a);
  s.translate |= body->translate;
  s.records.push_back(body);
  return {t, 0};
}

type* parser::enumeration_of_tag(identifier* tag, token_index where, bool defines) {
  type_table& types = meaning_.types();
  if (!tag) return types.enumeration_type(nullptr, where);
  const bool here = defines || at(punctuator::semicolon);
  const type* known =
      here ? meaning_.scopes.look_up_tag_here(tag) : meaning_.scopes.look_up_tag(tag);
  if (known) {
    type* t = const_cast<type*>(known);
    const std::string name(tag->text);
    if (t->kind != type_kind::enumeration) {
      error(where, "'" + name + "' defined as wrong kind of tag");
      return types.enumeration_type(tag, where);
    }
    if (!defines) return t;
    if (!t->enumeration->is_complete) {
      t->enumeration->at = where;
      return t;
    }
    if (error(where, "redeclaration of 'enum " + name + "'"))
      report_.note(t->enumeration->at, "originally defined here");
    return types.enumeration_type(tag, where);
  }
  type* t = types.enumeration_type(tag, where);
  meaning_.scopes.bind_tag(tag, t);
  return t;
}

// { enumerator {, enumerator} [,] } [attributes]
node* parser::enumeration_body(type* t, token_index first, attribute_set a) {
  auto* info = meaning_.memory().make<declaration_info>();
  info->enumerates = t->enumeration;
  info->specifiers_first = first;
  info->base = {t, 0};
  info->brace_first = at_;
  advance();
  bool translate = false;
  const bool whole = attempt([&] {
    do {
      if (at(punctuator::right_brace) && !info->enumerators.empty()) break;
      const entity* before = info->enumerators.empty() ? nullptr : info->enumerators.back();
      info->enumerators.push_back(enumerator(before, translate));
    } while (accept(punctuator::comma));
    if (!at(punctuator::right_brace)) fail("',' or '}'");
  });
  if (!whole) skip_to_closing(punctuator::right_brace);
  expect(punctuator::right_brace);
  info->brace_last = at_;
  attributes(a);
  info->specifiers_last = at_;
  meaning_.records.complete_enumeration(t, info->enumerators, a.packed);
  node* n = meaning_.make(node_kind::declaration, from(first), {});
  n->declared = info;
  n->translate = translate;
  return n;
}

// enumerator:
//   identifier [attributes] [= constant-expression]
entity* parser::enumerator(const entity* before, bool& translate) {
  if (now().kind != token_kind::identifier) fail("identifier");
  identifier* name = now().name;
  const token_index where = at_;
  advance();
  attribute_set ignored;
  attributes(ignored);
  __int128 value = before ? before->value + 1 : 0;
  if (accept(punctuator::assign)) {
    node* e = meaning_.value_of(conditional_expression());
    translate |= e->translate;
    const std::string what = "enumerator value for '" + std::string(name->text) + "'";
    value = meaning_.constant_integer(e, what).value_or(value);
  }
  const bool is_int = value >= INT32_MIN && value <= INT32_MAX;
  const type_kind kind = is_int                            ? type_kind::int_
                         : value < 0 || value <= INT64_MAX ? type_kind::long_
                                                           : type_kind::unsigned_long;
  return meaning_.declarations.declare_enumerator(name, value, meaning_.types().basic(kind), where);
}

}  // namespace splitcc
