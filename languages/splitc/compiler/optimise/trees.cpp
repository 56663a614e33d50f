// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/optimise/trees.hpp"

#include "languages/support/arena.hpp"

namespace splitcc {

node* bare(node* e) {
  while (e->kind == node_kind::parenthesized) e = e->children[0];
  return e;
}
const node* bare(const node* e) { return bare(const_cast<node*>(e)); }

node* plain(node* e) {
  for (;;) {
    e = bare(e);
    if (e->kind != node_kind::convert || e->converts != conversion::arithmetic) return e;
    e = e->children[0];
  }
}

void for_each_child(node* n, const std::function<void(node*&)>& visit) {
  for (node*& child : n->children)
    if (child) visit(child);
  if (n->kind != node_kind::declaration && n->kind != node_kind::function_definition) return;
  for (declarator_info& d : n->declared->declarators)
    if (d.initializer) visit(d.initializer);
}

void walk(node* n, const std::function<bool(node*)>& visit) {
  if (visit(n)) for_each_child(n, [&](node*& child) { walk(child, visit); });
}

namespace {

// struct {   union tag {   enum __attribute__
bool defines_type(std::span<const token> tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const keyword k = tokens[i].word;
    if (k != keyword::kw_struct && k != keyword::kw_union && k != keyword::kw_enum) continue;
    const bool has_tag = tokens[i + 1].kind == token_kind::identifier;
    const token& next = tokens[i + (has_tag && i + 2 < tokens.size() ? 2 : 1)];
    if (is(next, punctuator::left_brace) || is(next, keyword::kw_attribute)) return true;
  }
  return false;
}

}  // namespace

bool is_loop(const node* n) {
  return n->kind == node_kind::while_ || n->kind == node_kind::do_ || n->kind == node_kind::for_;
}

bool is_global_lvalue(const node* e) { return e->is_lvalue && e->place != reach::local; }

entity* variable_of(const node* e) {
  e = bare(e);
  if (e->kind != node_kind::name || !e->referred || e->referred->is_library) return nullptr;
  const entity_kind k = e->referred->kind;
  return k == entity_kind::variable || k == entity_kind::parameter ? e->referred : nullptr;
}

bool is_library_name(const node* e, std::string_view name) {
  e = bare(e);
  return e->kind == node_kind::name && e->referred && e->referred->is_library &&
         e->referred->name->text == name;
}

bool is_library_call(const node* statement, std::string_view name) {
  if (statement->kind != node_kind::expression) return false;
  const node* call = bare(statement->children[0]);
  return call->kind == node_kind::call && call->children.size() == 1 &&
         is_library_name(plain(call->children[0]), name);
}

bool pass::may_replace(const node* loop) const { return !tokens.pragmas.contains(loop->first); }

bool pass::defines_types(const node* n) const {
  const std::span<const token> all = tokens.tokens;
  bool found = false;
  walk(const_cast<node*>(n), [&](node* part) {
    if (found || part->kind == node_kind::compound || part->kind == node_kind::declaration)
      return false;
    if (is_statement(part) || part->first == kNoToken) return true;
    found = defines_type(all.subspan(part->first, part->last - part->first));
    return false;
  });
  return found;
}

void pass::tell(token_index at, std::string_view text) const {
  if (options.report && at != kNoToken)
    report.remark(at, std::string(text) + " [-f" + std::string(name) + "]");
}

void pass::tell(const node* statement, std::string_view text) const {
  tell(statement->at != kNoToken ? statement->at : statement->first, text);
}

entity* pass::variable(qualified_type type) const {
  arena& memory = types.memory();
  auto* text = memory.make<std::string>("splitc_v_" + std::to_string(++*names));
  auto* e = memory.make<entity>();
  e->name = memory.make<identifier>();
  e->name->text = *text;
  e->type = type;
  e->is_used = true;
  return e;
}

std::string text_of(const entity* variable) { return std::string(variable->name->text); }

node* pass::use(entity* variable) const {
  node* n = types.memory().make<node>();
  n->kind = node_kind::name;
  n->referred = variable;
  n->type = variable->type;
  n->is_lvalue = true;
  n->translate = true;
  return n;
}

node* pass::made(std::string text, std::vector<node*> children, std::vector<entity*> variables,
                 qualified_type type) const {
  arena& memory = types.memory();
  node* n = memory.make<node>();
  n->kind = node_kind::made;
  n->translate = true;
  n->type = type ? type : qualified_type{types.basic(type_kind::void_), 0};
  n->children = memory.list(std::span<node* const>(children));
  n->made = memory.make<made_text>(std::move(text), std::move(variables));
  return n;
}

node* pass::unary(punctuator op, node* e, qualified_type type, bool is_lvalue, reach place) const {
  node* n = types.memory().make<node>();
  n->kind = node_kind::unary;
  n->op = op;
  n->translate = true;
  n->type = type;
  n->is_lvalue = is_lvalue;
  n->place = place;
  n->children = types.memory().list<node*>({e});
  return n;
}

node* pass::assignment(punctuator op, node* left, node* right) const {
  node* n = types.memory().make<node>();
  n->kind = node_kind::assignment;
  n->op = op;
  n->translate = true;
  n->type =
      op == punctuator::assign ? left->type : qualified_type{types.basic(type_kind::void_), 0};
  n->children = types.memory().list<node*>({left, right});
  return n;
}

node* pass::followed_get(node* left, node* right) const {
  node* n = assignment(punctuator::split_phase, left, right);
  n->is_followed = true;
  return n;
}

node* pass::copy(const node* n) const {
  arena& memory = types.memory();
  node* twin = memory.make<node>(*n);
  std::vector<node*> children;
  for (const node* child : n->children) children.push_back(child ? copy(child) : nullptr);
  twin->children = memory.list(std::span<node* const>(children));
  if (n->kind != node_kind::declaration) return twin;
  twin->declared = memory.make<declaration_info>(*n->declared);
  for (declarator_info& d : twin->declared->declarators)
    if (d.initializer) d.initializer = copy(d.initializer);
  return twin;
}

}  // namespace splitcc
