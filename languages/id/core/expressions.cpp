// SPDX-License-Identifier: Apache-2.0
// Expressions and statements but loops.
#include <bit>

#include "languages/id/core/lowering.hpp"

namespace idc::core {

slot lowering::lower(const expression& e) {
  if (e.is == expression_kind::name && e.refers->is == variable_kind::local)
    return slot_of(*e.refers);
  const slot to = fresh();
  lower(e, {to});
  return to;
}

void lowering::lower(const expression& e, target to) {
  switch (e.is) {
    case expression_kind::integer:
    case expression_kind::real:
    case expression_kind::boolean:
    case expression_kind::string:
    case expression_kind::nil:
    case expression_kind::unit:
      return lower_literal(e, to);
    case expression_kind::name:
    case expression_kind::constructor:
      return lower_name(e, to);
    case expression_kind::tuple: {
      slot_list parts;
      for (const expression* part : e.parts) parts.push_back(lower(*part));
      const slot made = to.is_result() ? fresh() : to.to;
      emit(operation::construct, made, std::move(parts), e.where);
      return deliver(made, to, e.where);
    }
    case expression_kind::apply:
      return lower_apply(e, to);
    case expression_kind::unary:
    case expression_kind::binary:
      return lower_operator(e, to);
    case expression_kind::choice: {
      const slot condition = lower(*e.parts[0]);
      return choose(
          condition, to.to, [&] { lower(*e.parts[1], to); }, [&] { lower(*e.parts[2], to); },
          e.where);
    }
    case expression_kind::case_: {
      const slot s = lower(*e.parts[0]);
      const std::vector<clause*> clauses(e.inside->clauses.begin(), e.inside->clauses.end());
      return lower_clauses(clauses, 0, {s}, to, e.where);
    }
    case expression_kind::block:
      return lower_block(e, to);
    case expression_kind::for_loop:
    case expression_kind::while_loop:
      return lower_loop(e, to);
    case expression_kind::lambda:
      return function_value(*e.made, {}, to, e.where);
    case expression_kind::index:
    case expression_kind::take:
    case expression_kind::examine:
      return lower_index(e, to);
    case expression_kind::list:
      return lower_list(e, to);
    case expression_kind::array:
      return lower_array(e, to);
  }
}

namespace {

// Between the quotes, \n, \t, \\ and \" are what they stand for.
std::string decoded(std::string_view literal) {
  std::string text;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      text += literal[i];
      continue;
    }
    const char c = literal[++i];
    text += c == 'n' ? '\n' : c == 't' ? '\t' : c;
  }
  return text;
}

}  // namespace

std::int64_t lowering::text_number(std::string_view literal) {
  now_->texts.push_back(decoded(literal));
  return static_cast<std::int64_t>(now_->texts.size() - 1);
}

void lowering::lower_literal(const expression& e, target to) {
  const slot made = to.is_result() ? fresh() : to.to;
  if (e.is == expression_kind::string) {
    emit(operation::text, made, {}, e.where).immediate = text_number(e.text);
  } else if (e.is == expression_kind::nil) {
    emit(operation::construct, made, {}, e.where);
  } else {
    emit(operation::constant, made, {}, e.where).immediate =
        e.is == expression_kind::real ? std::bit_cast<std::int64_t>(e.real) : e.integer;
  }
  deliver(made, to, e.where);
}

void lowering::lower_name(const expression& e, target to) {
  if (e.is == expression_kind::constructor) return constructed(*e.made_by, {}, to, e.where);
  const variable& v = *e.refers;
  if (v.is == variable_kind::function) return function_value(*v.defined_by, {}, to, e.where);
  if (v.is == variable_kind::local) return deliver(slot_of(v), to, e.where);
  function* made = of_builtin(e);
  const slot s = to.is_result() ? fresh() : to.to;
  emit(operation::closure, s, {}, e.where).callee = made;
  deliver(s, to, e.where);
}

// A function with its first arguments: called if these are all.
void lowering::function_value(idc::function& f, const slot_list& arguments, target to,
                              position where) {
  function* callee = of(f);
  slot_list operands;
  for (const variable* v : f.captured) operands.push_back(slot_of(*v));
  const std::size_t used = std::min(f.arity(), arguments.size());
  operands.insert(operands.end(), arguments.begin(), arguments.begin() + used);
  const bool is_called = used == f.arity() && f.arity() > 0;
  const bool is_last = used == arguments.size();
  const slot s = is_last && (is_called || !to.is_result()) ? to.to : fresh();
  const operation op = is_called        ? operation::call
                       : f.arity() == 0 ? operation::global
                                        : operation::closure;
  binding& made = emit(op, s, std::move(operands), where);
  made.callee = callee;
  made.is_tail = s == kNoSlot;
  if (!is_last) return apply_rest(s, arguments, used, to, where);
  if (s != to.to) deliver(s, to, where);
}

void lowering::apply_rest(slot f, const slot_list& arguments, std::size_t from, target to,
                          position where) {
  for (; from < arguments.size(); ++from) {
    const bool is_last = from + 1 == arguments.size();
    const slot s = is_last ? to.to : fresh();
    binding& made = emit(operation::apply, s, {f, arguments[from]}, where);
    made.is_tail = s == kNoSlot;
    f = s;
  }
}

void lowering::constructed(const constructor& c, const slot_list& arguments, target to,
                           position where) {
  const slot s = to.is_result() ? fresh() : to.to;
  if (arguments.size() == c.fields.size()) {
    emit(operation::construct, s, arguments, where).immediate = c.tag;
  } else {
    function* made = of_constructor(c);
    emit(operation::closure, s, arguments, where).callee = made;
  }
  deliver(s, to, where);
}

void lowering::lower_apply(const expression& e, target to) {
  std::vector<const expression*> given;
  const expression* head = &e;
  for (; head->is == expression_kind::apply; head = head->parts[0]) given.push_back(head->parts[1]);
  slot_list arguments;
  for (auto i = given.rbegin(); i != given.rend(); ++i) arguments.push_back(lower(**i));
  if (head->is == expression_kind::constructor)
    return constructed(*head->made_by, arguments, to, e.where);
  if (head->is == expression_kind::name && head->refers->is == variable_kind::function)
    return function_value(*head->refers->defined_by, arguments, to, e.where);
  if (head->is == expression_kind::name && head->refers->is == variable_kind::builtin) {
    const bool is_pair = head->refers->name == "min" || head->refers->name == "max";
    if (arguments.size() == (is_pair ? 2u : 1u))
      return lower_builtin(*head->refers, arguments, resolved(head->has)->parts[0], to, e.where);
  }
  apply_rest(lower(*head), arguments, 0, to, e.where);
}

void lowering::lower_operator(const expression& e, target to) {
  if (e.op == token_kind::and_ || e.op == token_kind::or_) {
    const slot left = lower(*e.parts[0]);
    const auto right = [&] { lower(*e.parts[1], to); };
    const auto same = [&] { deliver(left, to, e.where); };
    return e.op == token_kind::and_ ? choose(left, to.to, right, same, e.where)
                                    : choose(left, to.to, same, right, e.where);
  }
  slot_list operands;
  for (const expression* part : e.parts) operands.push_back(lower(*part));
  if (e.op == token_kind::append)
    return function_value(*e.refers->defined_by, operands, to, e.where);
  const bool is_real = resolved(e.parts[0]->has)->is == type_kind::real;
  const bool is_text = resolved(e.parts[0]->has)->is == type_kind::string;
  const slot s = to.is_result() ? fresh() : to.to;
  binding& made = emit(operation::compare, s, std::move(operands), e.where);
  switch (e.op) {
    case token_kind::plus:
      made.op = is_real ? operation::real_add : operation::add;
      break;
    case token_kind::minus:
      if (e.parts.size() == 1)
        made.op = is_real ? operation::real_negate : operation::negate;
      else
        made.op = is_real ? operation::real_subtract : operation::subtract;
      break;
    case token_kind::star:
      made.op = is_real ? operation::real_multiply : operation::multiply;
      break;
    case token_kind::slash:
      made.op = operation::real_divide;
      break;
    case token_kind::div:
      made.op = operation::divide;
      break;
    case token_kind::mod:
      made.op = operation::remainder;
      break;
    case token_kind::not_:
      made.op = operation::complement;
      break;
    case token_kind::colon:
      made.op = operation::construct;
      made.immediate = 1;
      break;
    default:
      made.op = is_real   ? operation::real_compare
                : is_text ? operation::text_compare
                          : operation::compare;
      made.immediate = static_cast<std::int64_t>(e.op);
  }
  deliver(s, to, e.where);
}

void lowering::lower_pair(slot pair, slot_list& to, position where) {
  for (std::int64_t i = 0; i < 2; ++i) to.push_back(value(operation::field, {pair}, where, i));
}

void lowering::lower_builtin(const variable& v, const slot_list& arguments, type* t, target to,
                             position where) {
  static const std::unordered_map<std::string_view, std::pair<operation, operation>> kPlain = {
      {"float", {operation::to_real, operation::to_real}},
      {"trunc", {operation::to_integer, operation::to_integer}},
      {"sqrt", {operation::square_root, operation::square_root}},
      {"sin", {operation::sine, operation::sine}},
      {"cos", {operation::cosine, operation::cosine}},
      {"exp", {operation::exponential, operation::exponential}},
      {"log", {operation::logarithm, operation::logarithm}},
      {"abs", {operation::absolute, operation::real_absolute}},
      {"min", {operation::minimum, operation::real_minimum}},
      {"max", {operation::maximum, operation::real_maximum}},
  };
  const bool is_matrix = v.name.ends_with("matrix") || v.name.starts_with("matrix");
  const slot s = to.is_result() ? fresh() : to.to;
  if (const auto found = kPlain.find(v.name); found != kPlain.end()) {
    const bool is_real = resolved(t)->is == type_kind::real;
    emit(is_real ? found->second.second : found->second.first, s, arguments, where);
  } else if (v.name.ends_with("bounds")) {
    slot_list ends;
    for (std::int64_t i = 0; i < (is_matrix ? 4 : 2); ++i)
      ends.push_back(value(operation::bound, arguments, where, i));
    if (is_matrix)
      ends = {value(operation::construct, {ends[0], ends[1]}, where),
              value(operation::construct, {ends[2], ends[3]}, where)};
    emit(operation::construct, s, std::move(ends), where);
  } else {
    slot_list ends;
    for (std::int64_t i = 0; is_matrix && i < 2; ++i)
      lower_pair(value(operation::field, arguments, where, i), ends, where);
    if (!is_matrix) lower_pair(arguments[0], ends, where);
    emit(operation::allocate, s, std::move(ends), where).immediate =
        (is_matrix ? 2 : 1) + (v.name.starts_with("M_") ? kMutable : 0);
  }
  deliver(s, to, where);
}

void lowering::lower_index(const expression& e, target to) {
  slot_list operands;
  for (const expression* part : e.parts) operands.push_back(lower(*part));
  const slot s = to.is_result() ? fresh() : to.to;
  emit(e.is == expression_kind::index  ? operation::fetch
       : e.is == expression_kind::take ? operation::take
                                       : operation::examine,
       s, std::move(operands), e.where);
  deliver(s, to, e.where);
}

void lowering::lower_list(const expression& e, target to) {
  slot rest = value(operation::construct, {}, e.where);
  if (!e.inside->generators.empty()) return nest_list(e, e.inside->generators, rest, to);
  for (std::size_t i = e.parts.size(); i > 0; --i)
    rest = value(operation::construct, {lower(*e.parts[i - 1]), rest}, e.where, 1);
  deliver(rest, to, e.where);
}

void lowering::lower_block(const expression& e, target to) {
  lower_statements(e);
  if (!e.parts.empty()) return lower(*e.parts[0], to);
  deliver(constant(0, e.where), to, e.where);
}

void lowering::lower_statements(const expression& e) {
  for (const statement* s : e.inside->statements)
    if (s->is == statement_kind::bind) declare(*s->target);
  for (const std::vector<statement*>& group : e.inside->groups)
    for (const statement* s : group) lower(*s);
}

void lowering::lower(const statement& s) {
  if (s.is == statement_kind::bind && s.target->is == pattern::kind::variable)
    return lower(*s.value, {b_->slots[s.target->bound]});
  if (s.is == statement_kind::bind) {
    bind(*s.target, matched(*s.target, lower(*s.value), s.where));
  } else if (s.array) {
    slot_list operands = {lower(*s.array)};
    for (const expression* index : s.indices) operands.push_back(lower(*index));
    operands.push_back(lower(*s.value));
    emit(s.is == statement_kind::put ? operation::put : operation::store, kNoSlot,
         std::move(operands), s.where);
  } else if (s.is == statement_kind::effect) {
    lower(*s.value);
  }
}

}  // namespace idc::core
