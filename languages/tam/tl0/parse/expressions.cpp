// SPDX-License-Identifier: Apache-2.0
// Expressions: a part of one is an instruction of its own, whose temporary has no name. Parts come
// in the order in which they stand, each before what it is a part of.
#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "languages/support/suggestions.hpp"
#include "languages/tam/tl0/parse/assembler.hpp"
#include "languages/tam/tl0/program/precedence.hpp"

namespace tl0 {

value assembler::emit_value(instruction made, index type) {
  made.to = operand::in(space::temporary, body_->temporaries.count++);
  p_.temporaries.push_back({kNone, type});
  const token& read = tokens_.tokens[at_ == 0 ? 0 : at_ - 1];
  emit(made, read);
  return {made.to, type, &read, true};
}

// expression = conjunction { "or" conjunction }
// conjunction = inversion { "and" inversion }
// inversion  = "not" inversion | comparison
// comparison = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) sum ]
// sum and what binds closer: precedence.hpp has the order of | ^ & << >> + - * / %
value assembler::expression(int precedence) {
  const nesting inside(*this);
  const token& first = now();
  value left = prefix_expression();
  for (;;) {
    const token& mark = now();
    const int binds = mark.kind == token_kind::mark || mark.kind == token_kind::keyword
                          ? precedence_of_infix(mark.text)
                          : -1;
    if (binds < precedence) return left;
    ++at_;
    const value right = expression(binds + 1);
    left = operation_value(mark, form::infix, mark.text, {left, right});
    left.first = &first;
    if (binds != kComparison) continue;
    if (precedence_of_infix(now().text) != kComparison) continue;
    error(now(), "comparisons do not stand in a row; say 'and' between them");
    throw unreadable{};
  }
}

// prefix = ( "-" | "~" ) prefix | postfix
value assembler::prefix_expression() {
  const nesting inside(*this);
  const token& mark = now();
  if (!is("-") && !is("~") && !is("not")) return postfix_expression();
  const bool is_not = is("not");
  ++at_;
  if (mark.text == "-" && (now().kind == token_kind::integer || now().kind == token_kind::real)) {
    --at_;
    value literal = number();
    literal.first = &mark;
    return literal;
  }
  const value of = is_not ? expression(kComparison) : prefix_expression();
  value made = operation_value(mark, form::prefix, mark.text, {of});
  made.first = &mark;
  return made;
}

// postfix = primary { "as" type }
value assembler::postfix_expression() {
  const token& first = now();
  value of = primary();
  while (is("as")) {
    const token& word = now();
    ++at_;
    of = convert(word, of, type_of_tokens());
    of.first = &first;
  }
  return of;
}

value assembler::convert(const token& at, value from, index to) {
  const index word = simple(kind::word);
  if (from.type != word && to != word) {
    error(at, "'as' is between word and another type; this is of type " + said(from.type));
    throw unreadable{};
  }
  return emit_value({.op = opcode::retype, .a = from.from}, to);
}

// primary = INTEGER | REAL | "true" | "false" | NAME | "self" | "rank" | "ranks" | "code" NAME
//         | "(" expression ")" | NAME arguments | ( "int" | "float" ) arguments
value assembler::primary() {
  const token& first = now();
  value made;
  if (first.kind == token_kind::integer || first.kind == token_kind::real) return number();
  if (first.kind == token_kind::name || first.kind == token_kind::hidden) {
    if (!is(after(), "(")) return named_value();
    return call(first);
  }
  if (is("int") || is("float")) return call(first);
  if (accept("(")) {
    made = expression();
    expect(")", "after the expression");
  } else if (is("true") || is("false")) {
    made = {p_.constant(is("true") ? 1 : 0, simple(kind::boolean)), simple(kind::boolean)};
    ++at_;
  } else if (accept("self")) {
    made = emit_value({.op = opcode::own_frame}, p_.type_index({kind::frame, block_, {}}));
  } else if (is("rank") || is("ranks")) {
    const opcode op = is("rank") ? opcode::rank : opcode::rank_count;
    ++at_;
    made = emit_value({.op = op}, simple(kind::integer));
  } else if (accept("code")) {
    const index block = block_named(expect_name("a code block"));
    const range inlets = p_.blocks[block].inlets;
    if (inlets.count == 0) {
      error(first, "the code block '" + p_.name(p_.blocks[block].name) + "' has no inlet");
      throw unreadable{};
    }
    const index type = p_.type_index({kind::code, kNone, parameter_types(p_.inlets[inlets.first])});
    made = {p_.constant(block, type), type};
  } else {
    unexpected("a value");
  }
  made.first = &first;
  return made;
}

// With the sign before it, so that the least integer can be written.
value assembler::number() {
  const token& first = now();
  const bool is_negative = accept("-");
  const token& t = now();
  ++at_;
  std::string text = (is_negative ? "-" : "") + std::string(t.text);
  if (t.kind == token_kind::real) {
    double number = 0;
    const auto [stop, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (wrong != std::errc{}) error(t, "no float is so large or so small");
    return {p_.constant(std::bit_cast<std::uint64_t>(number), simple(kind::real)),
            simple(kind::real), &first};
  }
  const bool is_hexadecimal = t.text.starts_with("0x");
  if (is_hexadecimal) text.erase(is_negative ? 1 : 0, 2);
  std::int64_t number = 0;
  auto read =
      std::from_chars(text.data(), text.data() + text.size(), number, is_hexadecimal ? 16 : 10);
  if (read.ec != std::errc{} && is_hexadecimal && !is_negative) {
    std::uint64_t bits = 0;
    read = std::from_chars(text.data(), text.data() + text.size(), bits, 16);
    number = static_cast<std::int64_t>(bits);
  }
  if (read.ec != std::errc{} || text.empty() || text == "-") error(t, "an int has 64 bits");
  const index type = simple(kind::integer);
  return {p_.constant(static_cast<std::uint64_t>(number), type), type, &first};
}

// A slot, a temporary, or an inlet of this activation.
value assembler::named_value() {
  const token& name = now();
  ++at_;
  if (const auto found = temporaries_.find(name.text); found != temporaries_.end()) {
    const index type = p_.temporaries[body_->temporaries.first + found->second].type;
    return {operand::in(space::temporary, found->second), type, &name};
  }
  const declaration* found = find(name.text);
  if (found && found->is == declared::slot) {
    const index number = found->at - p_.blocks[block_].slots.first;
    return {operand::in(space::slot, number), p_.slots[found->at].type, &name};
  }
  if (found && found->is == declared::inlet) {
    const index type = p_.type_index({kind::inlet, kNone, parameter_types(p_.inlets[found->at])});
    value made = emit_value({.op = opcode::own_inlet, .target = found->at}, type);
    made.first = &name;
    return made;
  }
  std::vector<std::string_view> known;
  for (const auto& [text, at] : temporaries_) known.push_back(text);
  for (const auto& [text, what] : block_names_[block_])
    if (what.is != declared::thread) known.push_back(text);
  std::sort(known.begin(), known.end());
  const std::string_view meant = frontend::nearest(name.text, known);
  error(name, (found ? "'" + std::string(name.text) + "' is a thread, and no value"
                     : "nothing here has the name '" + std::string(name.text) + "'") +
                  (meant.empty() ? "" : "; did you mean '" + std::string(meant) + "'?"));
  throw unreadable{};
}

// choose and owner are here, for they take operands of any type.
value assembler::call(const token& name) {
  ++at_;
  const std::vector<value> given = arguments();
  value made;
  if (name.text == "choose" && given.size() == 3) {
    if (kind_of_value(given[0]) != kind::boolean || given[1].type != given[2].type) {
      error(name, "choose takes a bool and two values of one type");
      throw unreadable{};
    }
    made = emit_value({.op = opcode::choose,
                       .argument_count = 1,
                       .first_argument = argument_list({given[2]}),
                       .a = given[0].from,
                       .b = given[1].from},
                      given[1].type);
  } else if (name.text == "room" && given.empty()) {
    made = emit_value({.op = opcode::room}, simple(kind::boolean));
  } else if (name.text == "owner" && given.size() == 2) {
    if (kind_of_value(given[0]) != kind::istructure || kind_of_value(given[1]) != kind::integer) {
      error(name, "owner takes an I-structure and the number of a row");
      throw unreadable{};
    }
    made = emit_value({.op = opcode::owner, .a = given[0].from, .b = given[1].from},
                      simple(kind::integer));
  } else {
    made = operation_value(name, form::call, name.text, given);
  }
  made.first = &name;
  return made;
}

// The operation of this spelling for operands of these types.
value assembler::operation_value(const token& at, form written, std::string_view name,
                                 const std::vector<value>& operands) {
  bool is_known = false;
  for (unsigned i = 0; i < kOperations; ++i) {
    const auto op = static_cast<opcode>(kFirstOperation + i);
    const operation& about = operation_of(op);
    if (about.written != written || about.spelling != name) continue;
    is_known = true;
    if (about.operands.size() != operands.size()) continue;
    bool fits = true;
    for (std::size_t k = 0; k < operands.size(); ++k)
      fits &= kind_of_value(operands[k]) == kind_of(about.operands[k]);
    if (!fits) continue;
    instruction made{.op = op, .a = operands[0].from};
    if (operands.size() > 1) made.b = operands[1].from;
    return emit_value(made, simple(kind_of(about.result)));
  }
  std::string types;
  for (const value& v : operands) types += (types.empty() ? "" : " and ") + said(v.type);
  if (!is_known) {
    error(at, "there is no function '" + std::string(name) + "'");
  } else {
    error(at, "there is no '" + std::string(name) + "' of " + (types.empty() ? "nothing" : types));
  }
  throw unreadable{};
}

// alloc = ( "ialloc" | "malloc" ) type "[" expression "]" [ "bounds" "(" INTEGER ")" ]
//         [ "rows" arguments ]
value assembler::alloc_value(opcode op) {
  const token& word = now();
  ++at_;
  const index of = type_of_tokens();
  expect("[", "and the number of elements");
  const value count = expression();
  if (count.type != kNone && kind_of_value(count) != kind::integer)
    error(*count.first,
          "the number of elements is an int, and this is of type " + said(count.type));
  expect("]", "after the number of elements");
  const kind k = op == opcode::ialloc ? kind::istructure : kind::mstructure;
  instruction made{.op = op, .a = count.from};
  if (is(after(), "(") && accept("bounds")) {
    ++at_;
    const bool is_one = accept("1");
    if (!is_one && !accept("2")) unexpected("1 or 2, the dimensions of the array");
    made.other = is_one ? 1 : 2;
    expect(")", "after the dimensions of the array");
  }
  if (op == opcode::ialloc && is(after(), "(") && accept("rows")) {
    const std::vector<value> rows = arguments();
    check_arguments(word, "rows", std::vector<index>(3, simple(kind::integer)), rows);
    made.first_argument = argument_list(rows);
    made.argument_count = static_cast<std::uint16_t>(rows.size());
  }
  value result = emit_value(made, p_.type_index({k, of, {}}));
  p_.positions.back() = position_of(word);
  result.first = &word;
  return result;
}

}  // namespace tl0
