// SPDX-License-Identifier: Apache-2.0
// Types of definitions and statements, and where they become polymorphic.
#include <algorithm>
#include <array>

#include "languages/id/infer/inferrer.hpp"

namespace idc {
namespace {

constexpr std::array<std::string_view, 10> kNames = {
    "int", "float", "bool", "string", "void", "list", "array", "matrix", "M_array", "M_matrix"};

// What makes no array and starts nothing: its type may become polymorphic. An array that could hold
// elements of any type would let one type in and another one out.
bool is_value(const expression& e) {
  switch (e.is) {
    case expression_kind::integer:
    case expression_kind::real:
    case expression_kind::boolean:
    case expression_kind::string:
    case expression_kind::nil:
    case expression_kind::unit:
    case expression_kind::name:
    case expression_kind::constructor:
    case expression_kind::lambda:
      return true;
    case expression_kind::tuple:
      return std::ranges::all_of(e.parts, [](const expression* part) { return is_value(*part); });
    default:
      return false;
  }
}

}  // namespace

void inferrer::run() {
  for (const datatype* d : program_.types) datatypes_.emplace(d->name, d);
  for (datatype* d : program_.types) declare(*d);
  for (const std::vector<function*>& group : program_.groups) {
    infer_group(group);
    types_.settle();
  }
}

void inferrer::declare(datatype& d) {
  variables named;
  std::vector<type*> parameters;
  for (std::string_view name : d.parameters)
    parameters.push_back(named.emplace(name, types_.generic()).first->second);
  type* result = types_.of(type_kind::data, parameters, &d);
  for (constructor* c : d.constructors) {
    c->known_as = result;
    for (std::size_t i = c->fields.size(); i > 0; --i)
      c->known_as = types_.arrow(read(*c->fields[i - 1], named, true), c->known_as);
  }
}

// The type that is written.
type* inferrer::read(const type_expression& t, variables& named, bool is_generic) {
  if (t.is == type_expression::kind::variable) {
    type*& known = named[t.name];
    if (!known) known = is_generic ? types_.generic() : types_.fresh();
    return known;
  }
  std::vector<type*> parts;
  for (const type_expression* part : t.parts) parts.push_back(read(*part, named, is_generic));
  if (t.is == type_expression::kind::arrow) return types_.arrow(parts[0], parts[1]);
  if (t.is == type_expression::kind::tuple) return types_.of(type_kind::tuple, parts);
  if (const auto data = datatypes_.find(t.name); data != datatypes_.end())
    return types_.of(type_kind::data, parts, data->second);
  const auto number = std::ranges::find(kNames, t.name) - kNames.begin();
  const auto is = static_cast<type_kind>(number + static_cast<int>(type_kind::integer));
  return parts.empty() ? plain(is) : types_.of(is, parts);
}

void inferrer::begin(function& f) {
  f.named->known_as.body = types_.fresh();
  variables named;
  if (f.annotation) require(f.where, read(*f.annotation, named, false), f.named->known_as.body, "");
}

void inferrer::finish(function& f) {
  require(
      f.where, f.named->known_as.body, infer(f),
      f.annotation ? reason("'typeof' says so") : reason("other uses of '", f.name, "' say so"));
}

void inferrer::infer_group(const std::vector<function*>& group) {
  ++types_.level;
  for (function* f : group) begin(*f);
  for (function* f : group) finish(*f);
  --types_.level;
  const auto is_general = [](const function* f) {
    return f->arity() > 0 || is_value(*f->clauses.front()->body);
  };
  for (const function* f : group)
    if (!is_general(f)) types_.keep(f->named->known_as.body);
  for (const function* f : group)
    if (is_general(f)) types_.generalise(f->named->known_as.body);
}

// All clauses have one type.
type* inferrer::infer(function& f) {
  type* result = types_.fresh();
  std::vector<type*> parameters;
  for (std::size_t i = 0; i < f.arity(); ++i) parameters.push_back(types_.fresh());
  for (clause* c : f.clauses) {
    for (std::size_t i = 0; i < c->parameters.size() && i < parameters.size(); ++i)
      require(c->parameters[i]->where, parameters[i], infer(*c->parameters[i]),
              "the clauses of a function have one type");
    check(*c->body, result, "the clauses of a function have one type");
  }
  for (std::size_t i = parameters.size(); i > 0; --i)
    result = types_.arrow(parameters[i - 1], result);
  return result;
}

void inferrer::infer_statements(expression& e) {
  for (const std::vector<statement*>& group : e.inside->groups) infer_group(group);
}

void inferrer::infer_group(const std::vector<statement*>& group) {
  ++types_.level;
  for (statement* s : group) {
    if (s->is == statement_kind::define) begin(*s->defined);
    if (s->is == statement_kind::bind) infer(*s->target);
  }
  for (statement* s : group) infer(*s);
  --types_.level;
  const auto is_general = [](const statement* s) {
    return s->target->is == pattern::kind::variable && is_value(*s->value);
  };
  for (const statement* s : group)
    if (s->is == statement_kind::bind && !is_general(s)) types_.keep(s->target->has);
  for (const statement* s : group) {
    if (s->is == statement_kind::define) types_.generalise(s->defined->named->known_as.body);
    if (s->is == statement_kind::bind && is_general(s)) types_.generalise(s->target->has);
  }
}

void inferrer::infer(statement& s) {
  switch (s.is) {
    case statement_kind::define:
      return finish(*s.defined);
    case statement_kind::bind:
      return check(*s.value, s.target->has, "the pattern before '='");
    case statement_kind::next:
      return check(*s.value, s.inner->known_as.body,
                   {"the value of '", s.name, "' before the loop"});
    case statement_kind::effect:
      infer(*s.value);
      return;
    default:
      return infer_element(s);
  }
}

void inferrer::infer_element(statement& s) {
  const bool is_matrix = s.indices.size() == 2, is_put = s.is == statement_kind::put;
  const type_kind is = is_put ? (is_matrix ? type_kind::m_matrix : type_kind::m_array)
                              : (is_matrix ? type_kind::matrix : type_kind::array);
  type* element = types_.fresh();
  check(*s.array, types_.of(is, {element}), is_matrix ? "it has two indices" : "it has an index");
  for (expression* index : s.indices) check(*index, plain(type_kind::integer), "an index");
  check(*s.value, element, "the element");
}

std::string types_of(const program& of) {
  std::string text;
  for (const function* f : of.functions)
    text += std::string(f->name) + " : " + type_words()(f->named->known_as.body) + "\n";
  return text;
}

}  // namespace idc
