// SPDX-License-Identifier: Apache-2.0
// Types of expressions and patterns.
#include "languages/id/infer/infer.hpp"

#include "languages/id/infer/inferrer.hpp"

namespace idc {

using enum type_kind;

void inferrer::require(position where, type* wanted, type* found, const reason& why) {
  types_.is_infinite = types_.is_too_deep = false;
  if (types_.unify(wanted, found)) return;
  if (types_.is_too_deep) return error_too_deep(where);
  type_words words;
  const type& is = *resolved(wanted);
  const bool is_any_compared = is.is == variable && is.in == type_class::compared;
  std::string text = types_.is_infinite ? "the type would contain itself: " : "";
  text += "expected " + (is_any_compared ? "int, float, bool or string" : words(wanted)) +
          ", found " + words(found);
  if (const std::string sentence = why.text(); !sentence.empty()) text += ": " + sentence;
  error(where, text);
}

void inferrer::check(expression& e, type* wanted, const reason& why) {
  require(e.where, wanted, infer(e), why);
}

type* inferrer::infer(expression& e) { return e.has = type_of(e); }

type* inferrer::type_of(expression& e) {
  switch (e.is) {
    case expression_kind::integer:
      return plain(integer);
    case expression_kind::real:
      return plain(real);
    case expression_kind::boolean:
      return plain(boolean);
    case expression_kind::string:
      return plain(string);
    case expression_kind::unit:
      return plain(unit);
    case expression_kind::nil:
      return types_.of(list, {types_.fresh()});
    case expression_kind::name:
      return type_of_name(e);
    case expression_kind::constructor:
      return types_.instance(e.made_by->known_as);
    case expression_kind::tuple: {
      std::vector<type*> parts;
      for (expression* part : e.parts) parts.push_back(infer(*part));
      return types_.of(tuple, parts);
    }
    case expression_kind::apply:
      return type_of_apply(e);
    case expression_kind::unary: {
      type* wanted = e.op == token_kind::not_ ? plain(boolean) : types_.fresh(type_class::number);
      check(*e.parts[0], wanted, {"'", spelling(e.op), "' takes it"});
      return wanted;
    }
    case expression_kind::binary:
      return type_of_binary(e);
    case expression_kind::choice:
      return type_of_choice(e);
    case expression_kind::case_:
      return type_of_case(e);
    case expression_kind::block:
      return type_of_block(e);
    case expression_kind::for_loop:
    case expression_kind::while_loop:
      return type_of_loop(e);
    case expression_kind::lambda:
      return infer(*e.made);
    case expression_kind::index:
    case expression_kind::take:
    case expression_kind::examine:
      return type_of_index(e);
    case expression_kind::list:
      return type_of_list(e);
    case expression_kind::array:
      return type_of_array(e);
  }
  return plain(unit);
}

void inferrer::error_too_deep(position where) {
  error(where,
        "this type is nested more than " + std::to_string(type_store::kDepthMax) + " levels deep");
}

type* inferrer::type_of_name(expression& e) {
  type* made = types_.instance(e.refers->known_as.body);
  if (types_.is_too_deep) error_too_deep(e.where);
  return made;
}

type* inferrer::type_of_apply(expression& e) {
  type* f = resolved(infer(*e.parts[0]));
  if (f->is != arrow && f->is != variable) {
    infer(*e.parts[1]);
    error(e.parts[1]->where,
          "an argument too many: what it is given to is " + type_words()(f) + " and no function");
    return types_.fresh();
  }
  if (f->is == variable) {
    type* made = types_.arrow(types_.fresh(), types_.fresh());
    types_.unify(f, made);
    f = made;
  }
  check(*e.parts[1], f->parts[0], "the function takes it");
  return f->parts[1];
}

type* inferrer::type_of_binary(expression& e) {
  const reason why("'", spelling(e.op), "' takes it");
  type* operand = nullptr;
  type* result = nullptr;
  switch (e.op) {
    case token_kind::and_:
    case token_kind::or_:
      operand = result = plain(boolean);
      break;
    case token_kind::div:
    case token_kind::mod:
      operand = result = plain(integer);
      break;
    case token_kind::slash:
      operand = result = plain(real);
      break;
    case token_kind::plus:
    case token_kind::minus:
    case token_kind::star:
      operand = result = types_.fresh(type_class::number);
      break;
    case token_kind::append:
      operand = result = types_.of(list, {types_.fresh()});
      break;
    case token_kind::colon:
      result = types_.of(list, {infer(*e.parts[0])});
      check(*e.parts[1], result, "the rest of a list has the type of its head");
      return result;
    default:
      operand = types_.fresh(type_class::compared);
      result = plain(boolean);
  }
  check(*e.parts[0], operand, why);
  // The left side is of no type that the operator takes: the right one has to be no better.
  type* const left = resolved(e.parts[0]->has);
  const bool was_refused = resolved(operand)->is == variable && left->is != variable;
  check(*e.parts[1], was_refused ? left : operand, why);
  return result;
}

type* inferrer::type_of_choice(expression& e) {
  check(*e.parts[0], plain(boolean), "a condition");
  type* result = infer(*e.parts[1]);
  check(*e.parts[2], result, "both branches of 'if' have one type");
  return result;
}

type* inferrer::type_of_case(expression& e) {
  type* value = infer(*e.parts[0]);
  type* result = types_.fresh();
  for (clause* c : e.inside->clauses) {
    pattern& p = *c->parameters[0];
    require(p.where, value, infer(p), "the value of this 'case'");
    check(*c->body, result, "all clauses of 'case' have one type");
  }
  return result;
}

type* inferrer::type_of_block(expression& e) {
  infer_statements(e);
  return e.parts.empty() ? plain(unit) : infer(*e.parts[0]);
}

type* inferrer::type_of_loop(expression& e) {
  for (generator* g : e.inside->generators) infer(*g);
  for (statement* s : e.inside->statements)
    if (s->is == statement_kind::next)
      s->inner->known_as.body = types_.instance(s->outer->known_as.body);
  std::size_t result = 0;
  if (e.is == expression_kind::while_loop) check(*e.parts[result++], plain(boolean), "a condition");
  infer_statements(e);
  return e.parts.size() > result ? infer(*e.parts[result]) : plain(unit);
}

type* inferrer::type_of_index(expression& e) {
  const bool is_matrix = e.parts.size() == 3;
  const type_kind is = e.is == expression_kind::index ? (is_matrix ? matrix : array)
                                                      : (is_matrix ? m_matrix : m_array);
  type* element = types_.fresh();
  check(*e.parts[0], types_.of(is, {element}),
        is_matrix ? "it has two indices" : "it has an index");
  for (expression* index : e.parts.subspan(1)) check(*index, plain(integer), "an index");
  return element;
}

type* inferrer::type_of_list(expression& e) {
  for (generator* g : e.inside->generators) infer(*g);
  type* element = types_.fresh();
  for (expression* part : e.parts) check(*part, element, "all elements of a list have one type");
  return types_.of(list, {element});
}

type* inferrer::type_of_array(expression& e) {
  type* pair = types_.of(tuple, {plain(integer), plain(integer)});
  check(*e.parts[0], e.inside->is_matrix ? types_.of(tuple, {pair, pair}) : pair, "bounds");
  type* element = types_.fresh();
  for (region* r : e.inside->regions) {
    for (generator* g : r->generators) infer(*g);
    for (expression* index : r->indices) check(*index, plain(integer), "an index");
    check(*r->value, element, "all elements of an array have one type");
  }
  return types_.of(e.inside->is_matrix ? matrix : array, {element});
}

void inferrer::infer(generator& g) {
  if (g.is == generator::kind::condition) return check(*g.first, plain(boolean), "a condition");
  if (g.is == generator::kind::list) {
    type* element = types_.fresh();
    check(*g.first, types_.of(list, {element}), "what follows '<-' without 'to'");
    return require(g.target->where, element, infer(*g.target), "the elements of the list");
  }
  for (expression* each : {g.first, g.last, g.step})
    if (each) check(*each, plain(integer), "a bound or step");
  require(g.target->where, plain(integer), infer(*g.target), "what counts");
}

type* inferrer::infer(pattern& p) {
  switch (p.is) {
    case pattern::kind::wildcard:
      return p.has = types_.fresh();
    case pattern::kind::variable:
      p.bound->known_as.body = types_.fresh();
      return p.has = p.bound->known_as.body;
    case pattern::kind::integer:
      return p.has = plain(integer);
    case pattern::kind::boolean:
      return p.has = plain(boolean);
    case pattern::kind::string:
      return p.has = plain(string);
    case pattern::kind::nil:
      return p.has = types_.of(list, {types_.fresh()});
    case pattern::kind::cons:
      p.has = types_.of(list, {infer(*p.parts[0])});
      require(p.parts[1]->where, p.has, infer(*p.parts[1]), "the rest of a list");
      return p.has;
    case pattern::kind::constructor:
      return p.has = infer_constructed(p);
    case pattern::kind::tuple: {
      std::vector<type*> parts;
      for (pattern* part : p.parts) parts.push_back(infer(*part));
      return p.has = parts.empty() ? plain(unit) : types_.of(tuple, parts);
    }
  }
  return p.has;
}

type* inferrer::infer_constructed(pattern& p) {
  type* made = types_.instance(p.made_by->known_as);
  for (pattern* part : p.parts) {
    made = resolved(made);
    require(part->where, made->parts[0], infer(*part), {"a field of '", p.name, "'"});
    made = made->parts[1];
  }
  return made;
}

void infer(program& of, type_store& types, frontend::messages& report,
           const place_finder& place_of) {
  inferrer(of, types, report, place_of).run();
}

}  // namespace idc
