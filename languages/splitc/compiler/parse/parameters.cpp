// SPDX-License-Identifier: Apache-2.0
// Parameter lists of prototypes, and the identifiers of K&R definitions. (C17 6.7.6.3.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

function_part* parser::new_function_part() {
  if (function_parts_used_ == function_parts_.size()) function_parts_.emplace_back();
  function_part* part = &function_parts_[function_parts_used_++];
  part->parameters.clear();
  part->names.clear();
  part->kept.clear();
  part->announced.clear();
  part->variadic = part->prototyped = false;
  return part;
}

// function-suffix:
//   ( )
//   ( identifier-list )
//   ( parameter-list [, ...] )
void parser::function_suffix(declarator_parts& d) {
  derivation f;
  f.step = derivation::kind::function;
  f.at = at_;
  f.function = new_function_part();
  advance();
  const bool names_only =
      now().kind == token_kind::identifier && !is_typedef_name(now()) &&
      (is(behind(1), punctuator::comma) || is(behind(1), punctuator::right_parenthesis));
  if (names_only) {
    identifier_list(*f.function);
  } else if (!at(punctuator::right_parenthesis)) {
    parameter_list(*f.function, d);
  }
  expect(punctuator::right_parenthesis);
  derivations_.push_back(f);
}

// identifier-list:
//   identifier {, identifier}
void parser::identifier_list(function_part& part) {
  do {
    if (now().kind != token_kind::identifier) fail("identifier");
    part.names.push_back(at_);
    advance();
  } while (accept(punctuator::comma));
}

// parameter-list:
//   parameter-declaration {, parameter-declaration}
//   {parameter-declaration ;} parameter-list       GNU: declared again behind the `;`
void parser::parameter_list(function_part& part, declarator_parts& d) {
  part.prototyped = true;
  scope prototype(*this);
  do {
    if (accept(punctuator::ellipsis)) {
      part.variadic = true;
      break;
    }
    if (!parameter_declaration(part, d)) break;
    if (!at(punctuator::semicolon)) continue;
    for (const parameter& p : part.parameters)
      if (p.declared) part.announced.push_back(p.declared);
    part.parameters.clear();
    advance();
    if (!parameter_declaration(part, d)) break;
  } while (accept(punctuator::comma));
  if (at(punctuator::right_parenthesis) && meaning_.scopes.depth() == 1) prototype.leave(part.kept);
}

// parameter-declaration:
//   specifiers [attributes] [declarator] [attributes]
// False for `void` alone.
bool parser::parameter_declaration(function_part& part, declarator_parts& outer) {
  specifier_parts s;
  specifiers(s);
  if (!s.has_type && now().kind == token_kind::identifier && s.is_empty())
    fail_with(at_, no_such_type());
  if (s.is_empty()) fail("declaration specifiers or '...'");
  if (s.has_storage_class && s.where != storage::register_)
    error(s.first, "storage class specified for a parameter");
  declarator_parts d;
  attributes(d.attributes);
  declarator(d, naming::optional);
  suffix(d);
  outer.translate |= s.translate || d.translate;
  attribute_set a = s.attributes;
  a.add(d.attributes);
  const bool is_void = !d.name && derivations_.size() == d.derivations_first &&
                       s.type->kind == type_kind::void_ && !s.type.qualifiers;
  if (is_void && part.parameters.empty() && at(punctuator::right_parenthesis)) return false;
  qualified_type type = with_attributes(derive(d, s.type), a, false);
  add_parameter(part, d, adjusted(type, d));
  return true;
}

qualified_type parser::adjusted(qualified_type t, const declarator_parts& d) {
  qualified_type result = meaning_.declarations.adjust_parameter(t);
  if (t->kind == type_kind::array) result.qualifiers |= d.array_qualifiers;
  return result;
}

void parser::add_parameter(function_part& part, const declarator_parts& d, qualified_type type) {
  parameter p;
  p.type = type;
  p.name = d.name;
  if (type->kind == type_kind::void_) {
    error(d.name ? d.name_at : d.first,
          d.name ? "parameter '" + std::string(d.name->text) + "' has void type"
                 : "'void' must be the only parameter");
  }
  if (d.name) {
    const auto known = std::ranges::find(part.announced, d.name, &entity::name);
    p.declared = known == part.announced.end()
                     ? meaning_.declarations.declare_parameter(d.name, type, d.name_at)
                     : *known;
  }
  part.parameters.push_back(p);
}

}  // namespace splitcc
