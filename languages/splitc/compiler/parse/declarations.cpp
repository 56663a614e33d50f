// SPDX-License-Identifier: Apache-2.0
// Declarations, of the file and of blocks. (C17 6.7, 6.9.)
#include <algorithm>

#include "languages/splitc/compiler/parse/grammar.hpp"
#include "languages/splitc/compiler/semantics/traps.hpp"

namespace splitcc {

// external-declaration:
//   declaration
//   function-definition
//   file-assembler
//   static-assertion
//   ;
node* parser::external_declaration() {
  const token_index first = at_;
  function_parts_used_ = 0;
  if (accept(punctuator::semicolon)) return nullptr;
  node* item = nullptr;
  const bool whole = attempt([&] {
    token_index n = 0;
    while (is(behind(n), keyword::kw_extension)) ++n;
    if (is(behind(n), keyword::kw_asm))
      item = file_assembler();
    else if (is(behind(n), keyword::kw_static_assert))
      item = static_assertion();
    else
      item = declaration_of(true);
  });
  if (whole) return item;
  skip_declaration();
  return meaning_.error_node(from(first));
}

// A declaration of a block.
node* parser::declaration() {
  const std::size_t parts_used = function_parts_used_;
  node* n = declaration_of(false);
  function_parts_used_ = parts_used;
  return n;
}

// declaration:
//   specifiers ;
//   specifiers init-declarator {, [attributes] init-declarator} ;
// init-declarator:
//   declarator [asm-label] [attributes] [= initializer]
node* parser::declaration_of(bool at_file) {
  const token_index first = at_;
  specifier_parts s;
  specifiers(s);
  declaration_info* info = new_declaration(s);
  if (!s.is_empty() && accept(punctuator::semicolon)) {
    if (!s.has_tag && s.has_type)
      report_.warning(first, "missing-declarations", "useless type name in empty declaration");
    return finish_declaration(info, first);
  }
  bool ends_in_initializer = false;
  do {
    declarator_parts d;
    attributes(d.attributes);
    declarator(d, naming::named);
    suffix(d);
    if (info->declarators.empty() && starts_body(d)) {
      if (!at_file) return refuse_nested_function(d, first);
      return function_definition(s, d, info, first);
    }
    ends_in_initializer = at(punctuator::assign);
    init_declarator(s, d, info);
  } while (accept(punctuator::comma));
  refuse_misplaced_reach();
  expect_semicolon(ends_in_initializer ? "',' or ';'" : "'=', ',', ';', 'asm' or '__attribute__'");
  return finish_declaration(info, first);
}

declaration_info* parser::new_declaration(const specifier_parts& s) {
  auto* info = meaning_.memory().make<declaration_info>();
  info->specifiers_first = s.first;
  info->specifiers_last = s.last;
  info->base = s.type;
  info->specifiers_translate = s.translate;
  info->specifiers_respelled = s.is_respelled;
  info->alignment = s.attributes.alignment;
  info->is_typedef = s.is_typedef();
  info->records = s.records;
  return info;
}

node* parser::finish_declaration(declaration_info* info, token_index first) {
  node* n = meaning_.make(node_kind::declaration, from(first), info->records);
  n->declared = info;
  n->translate |= info->specifiers_translate;
  for (const declarator_info& d : info->declarators)
    n->translate |= d.translate || (d.initializer && d.initializer->translate);
  return n;
}

void parser::init_declarator(const specifier_parts& s, declarator_parts& d,
                             declaration_info* info) {
  if (s.is_auto_type) return auto_type_declarator(s, d, info);
  attribute_set a = s.attributes;
  a.add(d.attributes);
  const qualified_type type = with_attributes(derive(d, s.type), a, s.is_typedef());
  check_declared(s, d, type);
  entity* e = declare(s, d, type, false);
  const std::size_t place = info->declarators.size();
  add_declarator(info, s, d, e, type);
  if (accept(punctuator::assign)) {
    const bool refused = check_initialized(s, d, type);
    node* init = initializer();
    if (!refused) meaning_.declarations.initialize(e, init);
    declarator_info& told = info->declarators[place];
    told.initializer = refused ? init : e->initializer;
    if (type->kind == type_kind::array && type->bound == bound_kind::unknown) told.type = e->type;
  }
  check_complete(s, *e, d);
  if (e->kind == entity_kind::variable || s.is_typedef()) note_sized(*e);
}

// init-declarator:
//   identifier [asm-label] [attributes] = assignment-expression      behind __auto_type
void parser::auto_type_declarator(const specifier_parts& s, declarator_parts& d,
                                  declaration_info* info) {
  if (derivations_.size() != d.derivations_first)
    fail_with(d.name_at, "'__auto_type' needs a plain name");
  if (!at(punctuator::assign))
    fail_with(d.name_at, "declaration with '__auto_type' needs an initializer");
  advance();
  node* init = meaning_.value_of(assignment_expression());
  const qualified_type type = {init->type.of, s.type.qualifiers};
  entity* e = declare(s, d, type, false);
  meaning_.declarations.initialize(e, init);
  add_declarator(info, s, d, e, type).initializer = e->initializer;
}

entity* parser::declare(const specifier_parts& s, const declarator_parts& d, qualified_type type,
                        bool is_definition) {
  declaration_request wanted{};
  wanted.name = d.name;
  wanted.type = type;
  wanted.at = d.name_at;
  wanted.where = s.where;
  wanted.has_storage_class = s.has_storage_class;
  wanted.is_inline = s.is_inline;
  wanted.assembler_name = d.assembler_name;
  wanted.is_weak = d.attributes.weak || s.attributes.weak;
  wanted.alignment_asked = std::max(d.attributes.alignment, s.attributes.alignment);
  wanted.is_definition = is_definition;
  wanted.is_thread = s.is_thread;
  if (!s.has_type && !s.has_storage_class && !options_.gnu89) warn_of_implicit_int(d);
  return meaning_.declarations.declare(wanted);
}

void parser::warn_of_implicit_int(const declarator_parts& d) {
  report_.warning(d.name_at, "implicit-int",
                  "type defaults to 'int' in declaration of '" + std::string(d.name->text) + "'");
}

declarator_info& parser::add_declarator(declaration_info* info, const specifier_parts& s,
                                        const declarator_parts& d, entity* e, qualified_type type) {
  declarator_info told;
  told.declared = e;
  told.type = type;
  told.first = d.first;
  told.last = d.last;
  told.suffix_first = d.suffix_first;
  const bool renamed = !e->is_library && !e->name_in_output.empty();
  told.translate = d.translate || s.translate || renamed || type->kind == type_kind::spread_array;
  told.is_superfluous = !e->is_defined && meaning_.declarations.is_superfluous(*e, type, d.name_at);
  told.translate |= told.is_superfluous;
  info->declarators.push_back(told);
  return info->declarators.back();
}

bool has_variable_bound(const type* t) {
  switch (t->kind) {
    case type_kind::array:
      return t->bound == bound_kind::variable || has_variable_bound(t->target.of);
    case type_kind::pointer:
      return has_variable_bound(t->target.of);
    default:
      return false;
  }
}

namespace {

bool names_a_local(const node* bound) {
  return bound && any_part(*bound, [](const node& n) {
           if (n.kind != node_kind::name || !n.referred) return false;
           const entity& e = *n.referred;
           return e.kind == entity_kind::parameter ||
                  (e.kind == entity_kind::variable &&
                   (e.where == storage::automatic || e.where == storage::register_));
         });
}

// A static one is made before any function is called.
bool has_local_bound(const type* spread_array) {
  if (std::ranges::any_of(spread_array->spread_bounds, names_a_local)) return true;
  const type* block = spread_array->target.of;
  for (; block->kind == type_kind::array; block = block->target.of)
    if (names_a_local(block->bound_node)) return true;
  return false;
}

// Of what is known when the program runs. Other expressions that have no value here are the C
// compiler's to judge.
bool names_a_value_of_the_library(const node& e) {
  return any_part(e, [](const node& n) {
    return n.kind == node_kind::name && n.referred && n.referred->is_library &&
           n.referred->kind == entity_kind::variable;
  });
}

}  // namespace

// What a declaration may not say of its name.
void parser::check_declared(const specifier_parts& s, const declarator_parts& d,
                            qualified_type type) {
  auto complain = [&](const std::string& before, const char* behind) {
    error(d.name_at, before + "'" + std::string(d.name->text) + "'" + behind);
  };
  const bool at_file = meaning_.scopes.depth() == 0;
  const bool is_static = at_file || s.where == storage::static_ || s.where == storage::extern_;
  if (type->kind == type_kind::void_ && !s.is_typedef() && s.where != storage::extern_)
    return complain("variable or field ", " declared void");
  if (at_file && has_variable_bound(type.of))
    return complain("variably modified ", " at file scope");
  if (is_static && s.has_storage_class && !s.is_typedef() && type->kind == type_kind::array &&
      has_variable_bound(type.of))
    return complain("storage size of ", " isn't constant");
  if (s.is_inline && type->kind != type_kind::function)
    return complain("variable ", " declared 'inline'");
  if (at_file && s.has_storage_class && s.where == storage::automatic)
    return complain("file-scope declaration of ", " specifies 'auto'");
  if (!at_file && type->kind == type_kind::function && s.where == storage::static_)
    return complain("invalid storage class for function ", "");
  if (type->kind != type_kind::spread_array || s.is_typedef()) return;
  if (s.where == storage::register_ || s.is_thread)
    return complain("spread array ",
                    s.is_thread ? " cannot be of one thread" : " cannot be in a register");
  if (s.where != storage::extern_ && !type->spread_bounds.front())
    return complain("spread array ", " has no bound between its first brackets");
  if (s.where == storage::static_ && has_local_bound(type.of))
    return complain("bounds of the static spread array ",
                    " are of a call: they are to be known when the program starts");
}

// Whether what is declared cannot be initialized; then that was said.
bool parser::check_initialized(const specifier_parts& s, const declarator_parts& d,
                               qualified_type type) {
  if (type->kind == type_kind::spread_array) {
    error(at_ - 1, "a spread array cannot be initialized");
    return true;
  }
  if (s.where == storage::extern_ && meaning_.scopes.depth() > 0) {
    error(d.name_at, "'" + std::string(d.name->text) + "' has both 'extern' and initializer");
    return true;
  }
  if (type->kind == type_kind::array && has_variable_bound(type.of)) {
    error(d.name_at, "variable-sized object may not be initialized");
    return true;
  }
  return false;
}

// An object of a block has a size.
void parser::check_complete(const specifier_parts& s, const entity& e, const declarator_parts& d) {
  const type* t = e.type.of;
  if (e.kind != entity_kind::variable || s.where == storage::extern_ || is_complete(t)) return;
  const std::string name = "'" + std::string(d.name->text) + "'";
  if (meaning_.scopes.depth() > 0 && t->kind == type_kind::array)
    error(d.name_at, "array size missing in " + name);
  else if (meaning_.scopes.depth() > 0 && t->kind != type_kind::error &&
           t->kind != type_kind::void_)
    error(d.name_at, "storage size of " + name + " isn't known");
}

// static-assertion:
//   _Static_assert ( constant-expression [, string] ) ;
node* parser::static_assertion() {
  const token_index first = at_;
  while (accept(keyword::kw_extension)) continue;
  advance();
  expect(punctuator::left_parenthesis);
  node* e = meaning_.value_of(conditional_expression());
  const auto value = meaning_.fold(e);
  std::string text = "static assertion failed";
  if (accept(punctuator::comma)) {
    if (now().kind != token_kind::string) fail("string literal");
    text += ": " + std::string(now().text);
    while (now().kind == token_kind::string) advance();
  }
  expect(punctuator::right_parenthesis);
  if (value && *value == 0) error(first, text);
  if (!value && names_a_value_of_the_library(*e))
    error(first, "expression in static assertion is not constant");
  expect_semicolon();
  return meaning_.make(node_kind::static_assert_, from(first), {&e, 1});
}

}  // namespace splitcc
