// SPDX-License-Identifier: Apache-2.0
// Functions, patterns, expressions and statements.
#include <algorithm>

#include "languages/support/groups.hpp"

#include "languages/id/names/resolver.hpp"

namespace idc {

void resolver::walk(function& f) {
  f.owner = here_;
  here_ = &f;
  program_.all.push_back(&f);
  for (clause* c : f.clauses) walk_clause(*c);
  here_ = f.owner;
}

void resolver::walk_clause(clause& c) {
  const scope inner(*this);
  const std::size_t first = shadowed_.size();
  for (pattern* p : c.parameters) walk(*p);
  check_once(first, c.where);
  walk(*c.body);
}

void resolver::check_once(std::size_t first, position where) {
  for (std::size_t i = first; i < shadowed_.size(); ++i)
    for (std::size_t j = first; j < i; ++j)
      if (shadowed_[i].name == shadowed_[j].name)
        error(where, "'" + std::string(shadowed_[i].name) + "' is bound twice by these patterns");
}

void resolver::walk_target(generator& g) {
  const std::size_t first = shadowed_.size();
  walk(*g.target);
  check_once(first, g.target->where);
}

void resolver::walk(pattern& p, group* in, int member) {
  if (p.is == pattern::kind::variable) p.bound = bind_local(p.name, p.where, in, member);
  if (p.is == pattern::kind::constructor) {
    const auto found = known_.constructors.find(p.name);
    if (found == known_.constructors.end()) {
      std::vector<std::string_view> names;
      for (const auto& [name, made] : known_.constructors) names.push_back(name);
      unknown(p.where, "constructor", p.name, names);
    } else {
      p.made_by = found->second;
      if (p.made_by->fields.size() != p.parts.size())
        error(p.where, "'" + std::string(p.name) + "' has " +
                           std::to_string(p.made_by->fields.size()) +
                           (p.made_by->fields.size() == 1 ? " field" : " fields") + ", and " +
                           std::to_string(p.parts.size()) + " here");
    }
  }
  for (pattern* part : p.parts) walk(*part, in, member);
}

void resolver::walk(expression& e) {
  switch (e.is) {
    case expression_kind::name:
    case expression_kind::constructor:
      return walk_name(e);
    case expression_kind::lambda:
      return walk(*e.made);
    case expression_kind::case_:
      walk_parts(e);
      for (clause* c : e.inside->clauses) walk_clause(*c);
      return;
    case expression_kind::block:
      return walk_block(e);
    case expression_kind::for_loop:
    case expression_kind::while_loop:
      return walk_loop(e);
    case expression_kind::list:
      if (e.inside->generators.empty()) return walk_parts(e);
      return walk_generators(e.inside->generators, 0, *e.parts[0], {});
    case expression_kind::binary:
      if (e.op == token_kind::append) e.refers = known_.append;
      return walk_parts(e);
    case expression_kind::array:
      walk_parts(e);
      for (region* r : e.inside->regions) walk_generators(r->generators, 0, *r->value, r->indices);
      return;
    default:
      return walk_parts(e);
  }
}

void resolver::walk_parts(expression& e) {
  for (expression* part : e.parts) walk(*part);
}

void resolver::walk_name(expression& e) {
  std::vector<std::string_view> names;
  if (e.is == expression_kind::constructor) {
    const auto found = known_.constructors.find(e.text);
    if (found != known_.constructors.end()) {
      e.made_by = found->second;
      return;
    }
    for (const auto& [name, made] : known_.constructors) names.push_back(name);
    return unknown(e.where, "constructor", e.text, names);
  }
  const auto found = known_.values.find(e.text);
  if (found != known_.values.end() && found->second) {
    e.refers = found->second;
    return use(*e.refers);
  }
  for (const auto& [name, value] : known_.values)
    if (value) names.push_back(name);
  unknown(e.where, "name", e.text, names);
}

void resolver::walk_block(expression& e) {
  const scope inner(*this);
  walk_statements(e);
  walk_parts(e);
}

// The bounds or the list are outside of the loop; the condition, the statements and the result see
// the loop's variables.
void resolver::walk_loop(expression& e) {
  for (generator* g : e.inside->generators) walk_bounds(*g);
  const scope inner(*this);
  for (statement* s : e.inside->statements) {
    if (s->is != statement_kind::next) continue;
    const auto found = known_.values.find(s->name);
    if (found == known_.values.end() || !found->second ||
        found->second->is != variable_kind::local) {
      error(s->where, "'" + std::string(s->name) + "' has no value before the loop");
      continue;
    }
    s->outer = found->second;
    use(*s->outer);
  }
  for (statement* s : e.inside->statements) {
    if (!s->outer) continue;
    for (statement* other : e.inside->statements)
      if (other != s && other->outer == s->outer && other->inner)
        error(s->where, "there is a second 'next " + std::string(s->name) + "' in this loop");
    s->inner = bind_local(s->name, s->where);
  }
  if (e.is == expression_kind::while_loop) walk(*e.parts[0]);
  {
    const scope body(*this);
    for (generator* g : e.inside->generators) walk_target(*g);
    walk_statements(e);
  }
  const std::size_t result = e.is == expression_kind::while_loop ? 1 : 0;
  if (e.parts.size() > result) walk(*e.parts[result]);
}

void resolver::walk_statements(expression& e) {
  group together{++known_.groups, {}, -1};
  together.needs.resize(e.inside->statements.size());
  const std::size_t first = shadowed_.size();
  for (std::size_t i = 0; i < e.inside->statements.size(); ++i)
    declare(*e.inside->statements[i], together, static_cast<int>(i));
  for (std::size_t i = first; i < shadowed_.size(); ++i)
    for (std::size_t j = first; j < i; ++j)
      if (shadowed_[i].name == shadowed_[j].name) {
        const variable* again = known_.values[shadowed_[i].name];
        error(again->where,
              "'" + std::string(shadowed_[i].name) + "' is bound twice in this block");
      }
  open_.push_back(&together);
  for (statement* s : e.inside->statements) {
    ++together.current;
    walk(*s);
  }
  open_.pop_back();
  for (const std::vector<int>& members : frontend::groups_of(together.needs)) {
    e.inside->groups.emplace_back();
    for (int i : members) e.inside->groups.back().push_back(e.inside->statements[i]);
  }
}

void resolver::declare(statement& s, group& in, int member) {
  if (s.is == statement_kind::define) bind(declare(*s.defined, &in, member));
  if (s.is == statement_kind::bind) walk(*s.target, &in, member);
}

void resolver::walk(statement& s) {
  if (s.is == statement_kind::define) return walk(*s.defined);
  if (s.array) walk(*s.array);
  for (expression* i : s.indices) walk(*i);
  walk(*s.value);
}

void resolver::walk_bounds(generator& g) {
  for (expression* each : {g.first, g.last, g.step})
    if (each) walk(*each);
}

// Each generator sees what those before it bind; the value sees them all.
void resolver::walk_generators(std::span<generator*> generators, std::size_t from,
                               expression& value, std::span<expression*> indices) {
  const scope inner(*this);
  for (; from < generators.size(); ++from) {
    walk_bounds(*generators[from]);
    if (generators[from]->target) walk_target(*generators[from]);
  }
  for (expression* i : indices) walk(*i);
  walk(value);
}

}  // namespace idc
