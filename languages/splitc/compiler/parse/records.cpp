// SPDX-License-Identifier: Apache-2.0
// Structures and unions, and their members. (C17 6.7.2.1; GNU: anonymous members with a tag, empty
// structures, attributes.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// record-specifier:
//   struct-or-union [attributes] identifier
//   struct-or-union [attributes] [identifier] { member-declaration* } [attributes]
qualified_type parser::record_specifier(specifier_parts& s) {
  const token_index first = at_;
  const bool is_union = at(keyword::kw_union);
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
  type* t = record_of_tag(is_union, tag, tag ? tag_at : first, defines);
  if (!defines) {
    s.attributes.add(a);
    return {t, 0};
  }
  node* body = record_body(t, first, a);
  s.translate |= body->translate;
  s.records.push_back(body);
  return {t, 0};
}

// The type that a tag names: a new one of this scope where it is defined, and in `struct tag;`.
type* parser::record_of_tag(bool is_union, identifier* tag, token_index where, bool defines) {
  type_table& types = meaning_.types();
  if (!tag) return types.record_type(is_union, nullptr, where);
  const bool here = defines || at(punctuator::semicolon);
  const type* known =
      here ? meaning_.scopes.look_up_tag_here(tag) : meaning_.scopes.look_up_tag(tag);
  if (known) {
    type* t = const_cast<type*>(known);
    const bool same_word = t->kind == (is_union ? type_kind::union_ : type_kind::structure);
    if (same_word && !defines) return t;
    if (same_word && !t->record->is_complete && !is_open(t->record)) {
      t->record->at = where;
      return t;
    }
    refuse_tag(*t, same_word, where);
    return types.record_type(is_union, tag, where);
  }
  type* t = types.record_type(is_union, tag, where);
  meaning_.scopes.bind_tag(tag, t);
  return t;
}

void parser::refuse_tag(const type& known, bool same_word, token_index where) {
  const std::string name(tokens_[where].text);
  if (!same_word) {
    error(where, "'" + name + "' defined as wrong kind of tag");
    return;
  }
  const bool nested = is_open(known.record);
  const std::string word = known.record->is_union ? "union " : "struct ";
  if (error(where, (nested ? "nested redefinition of '" : "redefinition of '") + word + name + "'"))
    report_.note(known.record->at, "originally defined here");
}

bool parser::is_open(const record* r) const {
  return std::ranges::find(open_records_, r) != open_records_.end();
}

// { member-declaration* } [attributes]
node* parser::record_body(type* t, token_index first, attribute_set a) {
  const nesting level(*this);
  record& r = *t->record;
  const token_index where = r.at;
  auto* info = meaning_.memory().make<declaration_info>();
  info->defines = &r;
  info->specifiers_first = first;
  info->base = {t, 0};
  info->brace_first = at_;
  advance();
  open_records_.push_back(&r);
  record_parts parts{info, {}};
  while (!at(punctuator::right_brace) && !at_end()) {
    if (accept(punctuator::semicolon)) continue;
    if (!attempt([&] { member_declaration(parts); })) skip_statement();
    accept(punctuator::semicolon);
  }
  open_records_.pop_back();
  expect(punctuator::right_brace);
  info->brace_last = at_;
  attributes(a);
  info->specifiers_last = at_;
  r.pack = pack_;
  if (a.transparent_union) r.is_transparent = true;
  check_members(parts.members, r.is_union);
  meaning_.records.complete_record(t, std::move(parts.members), a.packed, a.alignment,
                                   parts.layout_is_known && !a.leaves_layout_unknown, where);
  node* n = meaning_.make(node_kind::declaration, from(first), info->members);
  n->declared = info;
  return n;
}

// member-declaration:
//   specifiers ;                          an anonymous structure or union
//   specifiers member-declarator {, member-declarator} ;
//   static-assertion
void parser::member_declaration(record_parts& r) {
  const token_index first = at_;
  while (accept(keyword::kw_extension)) continue;
  if (at(keyword::kw_static_assert)) {
    static_assertion();
    return;
  }
  specifier_parts s;
  specifiers(s);
  if (s.is_empty()) fail("specifier-qualifier-list");
  if (s.has_storage_class) error(s.first, "a storage class has no place in a member declaration");
  if (s.attributes.leaves_layout_unknown) r.layout_is_known = false;
  declaration_info* info = new_declaration(s);
  if (at(punctuator::semicolon)) {
    anonymous_member(s, r);
  } else {
    do member_declarator(s, r, info);
    while (accept(punctuator::comma));
  }
  if (!at(punctuator::right_brace)) expect_semicolon();
  r.info->members.push_back(finish_declaration(info, first));
}

void parser::anonymous_member(const specifier_parts& s, record_parts& r) {
  const bool has_members = is_record(s.type.of) && !s.records.empty();
  if (!has_members) {
    if (!s.has_tag)
      report_.warning(s.first, "missing-declarations", "declaration does not declare anything");
    return;
  }
  if (s.type->record->tag) {
    report_.warning(s.first, "missing-declarations", "declaration does not declare anything");
    return;
  }
  s.type->record->is_anonymous_member = true;
  member m;
  m.type = s.type;
  m.at = s.first;
  m.alignment_asked = s.attributes.alignment;
  m.packed = s.attributes.packed;
  r.members.push_back(m);
}

// member-declarator:
//   [attributes] declarator [attributes]
//   [attributes] [declarator] : constant-expression [attributes]
void parser::member_declarator(const specifier_parts& s, record_parts& r, declaration_info* info) {
  declarator_parts d;
  attributes(d.attributes);
  attribute_set a = s.attributes;
  if (at(punctuator::colon)) {
    d.first = d.last = at_;
    d.derivations_first = derivations_.size();
  } else {
    declarator(d, naming::named);
  }
  member m;
  m.name = d.name;
  m.at = d.name ? d.name_at : at_;
  qualified_type base = derive(d, s.type);
  node* width = nullptr;
  if (meaning_.scopes.depth() == 0 && has_variable_bound(base.of))
    error(m.at, "variably modified '" + std::string(d.name->text) + "' at file scope");
  const bool is_bit_field = accept(punctuator::colon);
  if (is_bit_field) width = meaning_.value_of(conditional_expression());
  suffix(d);
  a.add(d.attributes);
  if (a.leaves_layout_unknown) r.layout_is_known = false;
  m.type = with_attributes(base, a, false);
  m.alignment_asked = a.alignment;
  m.packed = a.packed;
  if (is_bit_field) bit_field_width(m, width);
  check_member(m);
  auto* named = meaning_.memory().make<entity>();
  named->name = m.name;
  named->type = m.type;
  named->at = m.at;
  add_declarator(info, s, d, named, m.type).width = width;
  r.members.push_back(m);
}

void parser::bit_field_width(member& m, node* width) {
  const std::string name = m.name ? "'" + std::string(m.name->text) + "'" : "an unnamed bit-field";
  if (!is_integer(m.type.of) && m.type->kind != type_kind::error) {
    error(m.at, "bit-field " + name + " has invalid type");
    m.type = error_type();
  }
  const auto n = meaning_.constant_integer(width, "the width of bit-field " + name);
  m.bits = 0;
  if (!n || m.type->kind == type_kind::error) return;
  const std::uint64_t most =
      m.type->kind == type_kind::bool_ ? 1 : size_of(m.type.of).value_or(16) * 8;
  if (*n < 0)
    error(m.at, "negative width in bit-field " + name);
  else if (static_cast<std::uint64_t>(*n) > most)
    error(m.at, "width of " + name + " exceeds its type");
  else if (*n == 0 && m.name)
    error(m.at, "zero width for bit-field " + name);
  else
    m.bits = static_cast<std::uint32_t>(*n);
}

void parser::check_member(member& m) {
  const std::string name = m.name ? "'" + std::string(m.name->text) + "'" : "";
  const type* t = m.type.of;
  const bool flexible = t->kind == type_kind::array && t->bound == bound_kind::unknown;
  const type* whole = flexible ? t->target.of : t;
  if (t->kind == type_kind::function) {
    error(m.at, "field " + name + " declared as a function");
  } else if (whole->kind == type_kind::void_) {
    error(m.at, "variable or field " + name + " declared void");
  } else if (!is_complete(whole) && whole->kind != type_kind::enumeration) {
    error(m.at, "field " + name + " has incomplete type");
  } else {
    return;
  }
  m.type = error_type();
}

// Only the last member may be an array without a bound.
void parser::check_members(const std::vector<member>& members, bool is_union) {
  for (std::size_t i = 0; i + 1 < members.size() && !is_union; ++i) {
    const type* t = members[i].type.of;
    if (t->kind == type_kind::array && t->bound == bound_kind::unknown)
      error(members[i].at, "flexible array member not at end of struct");
  }
}

}  // namespace splitcc
