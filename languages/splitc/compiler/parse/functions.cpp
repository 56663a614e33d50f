// SPDX-License-Identifier: Apache-2.0
// Function definitions, K&R definitions among them. (C17 6.9.1.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// Whether a body follows, or the declarations of a K&R definition's parameters.
bool parser::starts_body(const declarator_parts& d) const {
  if (!d.function) return false;
  return at(punctuator::left_brace) || (!d.function->names.empty() && starts_declaration(now()));
}

// function-definition:
//   [specifiers] declarator [attributes] kr-declaration* compound-statement
node* parser::function_definition(specifier_parts& s, declarator_parts& d, declaration_info* info,
                                  token_index first) {
  function_part& part = *d.function;
  node_list children(*this);
  if (!part.names.empty()) kr_declarations(part, children);
  attribute_set a = s.attributes;
  a.add(d.attributes);
  const bool is_void = !s.has_type && !s.is_typedef() && was_declared_void(d);
  const qualified_type result = is_void ? void_type() : s.type;
  const qualified_type type = with_attributes(derive(d, result), a, false);
  if (s.is_typedef()) error(d.name_at, "function definition declared 'typedef'");
  if (s.is_typedef() || type->kind != type_kind::function) fail("';'");
  entity* e = declare(s, d, type, true);
  check_definition(*type.of, d);
  add_declarator(info, s, d, e, type);
  children.add(function_body(e, part));
  node* n = meaning_.make(node_kind::function_definition, from(first), children.all());
  n->declared = info;
  n->translate |= info->specifiers_translate || info->declarators.front().translate;
  for (const node* record : info->records) n->translate |= record->translate;
  return n;
}

// gcc takes `f() {...}` with implicit int as the definition of a function that returns void if it
// was declared so.
bool parser::was_declared_void(const declarator_parts& d) const {
  const entity* known = meaning_.scopes.look_up(d.name);
  return known && known->kind == entity_kind::function && !known->is_implicit &&
         known->type->target->kind == type_kind::void_;
}

// A definition needs to know the sizes of what it returns and takes.
void parser::check_definition(const type& function, const declarator_parts& d) {
  const type* result = function.target.of;
  if (!is_complete(result) && result->kind != type_kind::void_)
    error(d.name_at, "return type is an incomplete type");
  for (const parameter& p : function.parameters) {
    if (!p.declared || is_complete(p.type.of) || p.type->kind == type_kind::void_) continue;
    error(p.declared->at, "parameter '" + std::string(p.name->text) + "' has incomplete type");
  }
}

// The parameters are in the scope of the body's outermost block.
node* parser::function_body(entity* function, function_part& part) {
  const std::vector<kept_name> kept = std::move(part.kept);
  sized_declarations_.clear();
  jump_ends_.clear();
  sized_ = -1;
  scope parameters(*this, kept);
  meaning_.enter_function(function);
  for (const kept_name& k : kept)
    if (k.is) k.is->function = function;
  const token_index first = at_;
  expect(punctuator::left_brace);
  node_list items(*this);
  block_items(items);
  end_of_block(first);
  node* body = meaning_.make(node_kind::compound, from(first), items.all());
  check_jumps();
  parameters.leave();
  meaning_.leave_function();
  return body;
}

// kr-declaration*, for the parameters in `part`; those without one are of type int.
void parser::kr_declarations(function_part& part, node_list& children) {
  scope names(*this);
  part.parameters.assign(part.names.size(), parameter{});
  for (std::size_t i = 0; i < part.names.size(); ++i)
    part.parameters[i].name = tokens_[part.names[i]].name;
  while (!at(punctuator::left_brace) && !at_end()) {
    if (accept(punctuator::semicolon)) continue;
    children.add(kr_declaration(part));
  }
  for (std::size_t i = 0; i < part.names.size(); ++i) {
    parameter& p = part.parameters[i];
    if (p.declared) continue;
    p.type = {meaning_.types().basic(type_kind::int_), 0};
    p.declared = meaning_.declarations.declare_parameter(p.name, p.type, part.names[i]);
  }
  names.leave(part.kept);
}

// kr-declaration:
//   specifiers declarator {, declarator} ;
node* parser::kr_declaration(function_part& part) {
  const token_index first = at_;
  specifier_parts s;
  specifiers(s);
  if (s.is_empty()) fail("declaration specifiers");
  declaration_info* info = new_declaration(s);
  if (!at(punctuator::semicolon)) {
    do kr_declarator(s, part, info);
    while (accept(punctuator::comma));
  }
  expect_semicolon("';'");
  return finish_declaration(info, first);
}

void parser::kr_declarator(const specifier_parts& s, function_part& part, declaration_info* info) {
  declarator_parts d;
  attributes(d.attributes);
  declarator(d, naming::named);
  suffix(d);
  attribute_set a = s.attributes;
  a.add(d.attributes);
  const qualified_type written = with_attributes(derive(d, s.type), a, false);
  const qualified_type type = adjusted(written, d);
  const auto found = std::ranges::find(part.parameters, d.name, &parameter::name);
  const std::string name = "'" + std::string(d.name->text) + "'";
  if (found == part.parameters.end()) {
    error(d.name_at, "declaration for parameter " + name + " but no such parameter");
    return;
  }
  if (at(punctuator::assign)) fail_with(at_, "parameter " + name + " is initialized");
  found->type = type;
  found->declared = meaning_.declarations.declare_parameter(d.name, type, d.name_at);
  add_declarator(info, s, d, found->declared, written);
}

// What looks like a definition in a block is skipped as a whole.
node* parser::refuse_nested_function(const declarator_parts& d, token_index first) {
  const entity* around = meaning_.scopes.function();
  const std::string outer = around ? " inside '" + std::string(around->name->text) + "'" : "";
  error(d.name_at, "nested functions are not supported: '" + std::string(d.name->text) +
                       "' is defined" + outer);
  derivations_.resize(d.derivations_first);
  while (!at(punctuator::left_brace) && !at_end()) advance();
  skip_balanced();
  return meaning_.error_node(from(first));
}

}  // namespace splitcc
