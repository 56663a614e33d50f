// SPDX-License-Identifier: Apache-2.0
// The notation of skeletons (docs/model.md has its grammar): recursive descent, a function for each
// production.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "tools/model/lexer.hpp"
#include "tools/model/skeleton.hpp"

namespace loggp {
namespace {

constexpr std::size_t kTextMax = 1 << 20;
constexpr unsigned kDepthMax = 200;  // of blocks and brackets

// What computing a node's value takes.
struct effort {
  std::uint32_t depth, steps;
};
constexpr std::uint32_t kExpressionDepthMax = 1000, kExpressionStepsMax = 1'000'000;

struct function {
  std::string_view name;
  expression_kind kind;
  unsigned arguments;
};
constexpr function kFunctions[] = {
    {"floor", expression_kind::floor, 1},  {"ceil", expression_kind::ceil, 1},
    {"log2", expression_kind::log2, 1},    {"exp", expression_kind::exp, 1},
    {"sqrt", expression_kind::sqrt, 1},    {"gather", expression_kind::gather, 1},
    {"touch", expression_kind::touch, 1},  {"min", expression_kind::least, 2},
    {"max", expression_kind::greatest, 2}, {"xor", expression_kind::exclusive_or, 2}};

constexpr std::pair<std::string_view, expression_kind> kGiven[] = {
    {"ranks", expression_kind::ranks},
    {"rank", expression_kind::rank},
    {"cores", expression_kind::cores},
    {"ranks_per_node", expression_kind::ranks_per_node}};

constexpr std::string_view kWords[] = {"skeleton", "parameter", "fitted",  "let",       "repeat",
                                       "if",       "else",      "compute", "send",      "receive",
                                       "exchange", "put",       "barrier", "broadcast", "reduce",
                                       "to",       "from",      "with",    "in",        "as"};

class parser {
 public:
  parser(const std::string& file, std::string_view text) : lexer_(file, text) { advance(); }
  skeleton parse();

 private:
  using kind = token::kind;

  void advance() { token_ = lexer_.next(); }
  [[noreturn]] void fail(const std::string& what) const { lexer_.fail(token_, what); }
  std::string shown() const;
  bool is(std::string_view text) const {
    return (token_.what == kind::name || token_.what == kind::sign) && token_.text == text;
  }
  bool accept(std::string_view text) {
    if (!is(text)) return false;
    advance();
    return true;
  }
  void expect(std::string_view text) {
    if (!accept(text)) fail(fmt::format("'{}' is expected before {}", text, shown()));
  }
  std::string new_name();
  std::string optional_text();

  void declaration(bool is_fitted);
  void let();
  void block();
  void statement();
  bool declares();
  bool communicates();
  void repeat();
  void condition();
  void operation_step(op_kind op, std::string_view before_second, bool has_messages);

  // Where the statement begins that it is part of.
  void add(skeleton_step step, const token& at) {
    step.line = at.line, step.column = at.column;
    out_.steps.push_back(step);
  }
  std::uint32_t add(const expression_node& n);
  std::uint32_t binary(expression_kind k, std::uint32_t a, std::uint32_t b) {
    return add({k, 0, a, b, 0});
  }
  std::uint32_t expression();
  std::uint32_t sum();
  std::uint32_t product();
  std::uint32_t factor();
  std::uint32_t primary();
  std::uint32_t named();
  std::uint32_t call(const function& f);

  lexer lexer_;
  token token_;
  skeleton out_;
  std::vector<effort> efforts_;  // of each node
  std::map<std::string, std::uint32_t> names_;  // what a name stands for: a node
  std::uint32_t loops_ = 0;  // around this place
  unsigned nested_ = 0;
};

// A name stands for a node, which is computed anew wherever the name is used.
std::uint32_t parser::add(const expression_node& n) {
  effort e{1, 1};
  if (!is_leaf(n.kind)) {
    e = efforts_[n.left];
    if (!is_unary(n.kind)) {
      const effort& right = efforts_[n.right];
      e = {std::max(e.depth, right.depth), e.steps + right.steps};
    }
    ++e.depth, ++e.steps;
  }
  if (e.depth > kExpressionDepthMax) fail("the expression has over 1000 operations in a row");
  if (e.steps > kExpressionStepsMax) fail("the expression takes over a million operations");
  out_.nodes.push_back(n);
  efforts_.push_back(e);
  return std::uint32_t(out_.nodes.size() - 1);
}

std::string parser::shown() const {
  switch (token_.what) {
    case kind::end:
      return "the end of the file";
    case kind::number:
      return "a number";
    case kind::text:
      return "a text";
    default:
      return "'" + token_.text + "'";
  }
}

std::string parser::new_name() {
  if (token_.what != kind::name) fail("a name is expected before " + shown());
  for (const std::string_view word : kWords)
    if (token_.text == word) fail(fmt::format("'{}' is a word of the notation", word));
  for (const auto& [given, k] : kGiven)
    if (token_.text == given) fail(fmt::format("'{}' is there for every skeleton", given));
  for (const function& f : kFunctions)
    if (token_.text == f.name) fail(fmt::format("'{}' is a function", f.name));
  if (names_.contains(token_.text)) fail(fmt::format("'{}' is there already", token_.text));
  std::string name = token_.text;
  advance();
  return name;
}

std::string parser::optional_text() {
  std::string text;
  if (token_.what == kind::text) {
    text = token_.text;
    advance();
  }
  return text;
}

void parser::declaration(bool is_fitted) {
  advance();
  parameter p;
  p.is_fitted = is_fitted;
  p.name = new_name();
  const bool is_negative = accept("-");
  if (token_.what != kind::number) fail("a number is expected before " + shown());
  p.value = is_negative ? -token_.value : token_.value;
  if (is_fitted && !(p.value > 0)) fail("what is fitted begins with a number above 0");
  advance();
  p.about = optional_text();
  names_[p.name] =
      add({expression_kind::parameter, std::uint32_t(out_.parameters.size()), 0, 0, 0});
  out_.parameters.push_back(p);
}

void parser::let() {
  advance();
  const std::string name = new_name();
  expect("=");
  names_[name] = expression();
}

bool parser::declares() {
  if (is("parameter") || is("fitted"))
    declaration(is("fitted"));
  else if (is("let"))
    let();
  else
    return false;
  return true;
}

void parser::block() {
  expect("{");
  if (++nested_ > kDepthMax) fail("blocks nest too deep");
  while (!is("}")) {
    if (token_.what == kind::end) fail("a block has no end: '}' is missing");
    statement();
  }
  --nested_;
  advance();
}

// The round's name, if it has one, is known in the block alone.
void parser::repeat() {
  const token first = token_;
  advance();
  const skeleton_step begin{step_kind::repeat, op_kind::end, expression(), 0, 0, 0, loops_};
  const auto outer = names_;
  if (accept("as")) {
    const std::string name = new_name();
    names_[name] = add({expression_kind::round, loops_, 0, 0, 0});
  }
  const std::size_t at = out_.steps.size();
  add(begin, first);
  out_.depth = std::max(out_.depth, ++loops_);
  block();
  names_ = outer;
  --loops_;
  add({step_kind::again, op_kind::end, begin.first, 0, 0, std::uint32_t(at + 1), begin.depth},
      first);
  out_.steps[at].target = std::uint32_t(out_.steps.size());
}

void parser::condition() {
  const auto outer = names_;
  std::vector<std::size_t> jumps;  // behind each of the blocks but the last, to the end
  for (bool goes_on = true; goes_on;) {
    advance();
    const std::size_t at = out_.steps.size();
    out_.steps.push_back({step_kind::unless, op_kind::end, expression(), 0, 0, 0, 0});
    block();
    names_ = outer;
    const bool has_else = accept("else");
    if (has_else) {
      jumps.push_back(out_.steps.size());
      out_.steps.push_back({step_kind::jump, op_kind::end, 0, 0, 0, 0, 0});
    }
    out_.steps[at].target = std::uint32_t(out_.steps.size());
    goes_on = has_else && is("if");
    if (has_else && !goes_on) {
      block();
      names_ = outer;
    }
  }
  for (const std::size_t jump : jumps) out_.steps[jump].target = std::uint32_t(out_.steps.size());
}

// An operation with up to three numbers: the first one, after a word the second one, and how many
// messages it goes in.
void parser::operation_step(op_kind op, std::string_view before_second, bool has_messages) {
  const token first = token_;
  advance();
  skeleton_step s;
  s.op = op;
  if (op == op_kind::receive) {
    expect(before_second);
    s.second = expression();
  } else if (op != op_kind::barrier) {
    s.first = expression();
    if (!before_second.empty()) {
      expect(before_second);
      s.second = expression();
    }
  }
  if (has_messages && accept("in")) s.third = expression();
  add(s, first);
}

bool parser::communicates() {
  struct word {
    std::string_view name;
    op_kind op;
    std::string_view before_second;
    bool has_messages;
  };
  constexpr word kOperations[] = {{"compute", op_kind::compute, "", false},
                                  {"send", op_kind::send, "to", true},
                                  {"receive", op_kind::receive, "from", false},
                                  {"exchange", op_kind::exchange, "with", true},
                                  {"put", op_kind::put, "to", true},
                                  {"barrier", op_kind::barrier, "", false},
                                  {"broadcast", op_kind::broadcast, "", false},
                                  {"reduce", op_kind::reduce, "", false}};
  for (const word& w : kOperations)
    if (is(w.name)) {
      operation_step(w.op, w.before_second, w.has_messages);
      return true;
    }
  return false;
}

void parser::statement() {
  if (is("parameter") || is("fitted")) fail("parameters stand outside of blocks");
  if (is("repeat"))
    repeat();
  else if (is("if"))
    condition();
  else if (!declares() && !communicates())
    fail(shown() + " begins no statement");
}

std::uint32_t parser::expression() {
  const std::uint32_t left = sum();
  constexpr std::pair<std::string_view, expression_kind> kSigns[] = {
      {"<", expression_kind::less},   {"<=", expression_kind::less_equal},
      {"==", expression_kind::equal}, {"!=", expression_kind::not_equal},
      {">", expression_kind::less},   {">=", expression_kind::less_equal}};
  for (const auto& [sign, k] : kSigns) {
    if (!accept(sign)) continue;
    const std::uint32_t right = sum();
    return sign.front() == '>' ? binary(k, right, left) : binary(k, left, right);
  }
  return left;
}

std::uint32_t parser::sum() {
  std::uint32_t left = product();
  for (;;) {
    if (accept("+"))
      left = binary(expression_kind::add, left, product());
    else if (accept("-"))
      left = binary(expression_kind::subtract, left, product());
    else
      return left;
  }
}

std::uint32_t parser::product() {
  std::uint32_t left = factor();
  for (;;) {
    if (accept("*"))
      left = binary(expression_kind::multiply, left, factor());
    else if (accept("/"))
      left = binary(expression_kind::divide, left, factor());
    else if (accept("%"))
      left = binary(expression_kind::modulo, left, factor());
    else
      return left;
  }
}

std::uint32_t parser::factor() {
  if (++nested_ > kDepthMax) fail("the expression nests too deep");
  std::uint32_t result = 0;
  if (accept("-")) {
    result = add({expression_kind::negate, 0, factor(), 0, 0});
  } else {
    result = primary();
    if (accept("^")) result = binary(expression_kind::power, result, factor());
  }
  --nested_;
  return result;
}

std::uint32_t parser::call(const function& f) {
  expect("(");
  const std::uint32_t left = expression();
  std::uint32_t right = 0;
  if (f.arguments == 2) {
    expect(",");
    right = expression();
  }
  expect(")");
  return binary(f.kind, left, right);
}

std::uint32_t parser::named() {
  for (const function& f : kFunctions)
    if (accept(f.name)) return call(f);
  for (const auto& [name, k] : kGiven)
    if (accept(name)) return add({k, 0, 0, 0, 0});
  const auto found = names_.find(token_.text);
  if (found == names_.end()) fail(fmt::format("there is no '{}'", token_.text));
  advance();
  return found->second;
}

std::uint32_t parser::primary() {
  if (accept("(")) {
    const std::uint32_t inner = expression();
    expect(")");
    return inner;
  }
  if (token_.what == kind::name) return named();
  if (token_.what != kind::number) fail("a number is expected before " + shown());
  const double value = token_.value;
  advance();
  return add({expression_kind::number, 0, 0, 0, value});
}

skeleton parser::parse() {
  out_.file = lexer_.file();
  add(expression_node{});  // index 0 means that there is none
  if (!is("skeleton"))
    fail("this is not a skeleton: it begins with the word skeleton, and its name");
  advance();
  if (token_.what != kind::name) fail("the skeleton's name is expected before " + shown());
  out_.name = token_.text;
  advance();
  out_.about = optional_text();
  while (token_.what != kind::end) {
    if (!declares()) statement();
  }
  out_.steps.push_back({});
  return std::move(out_);
}

}  // namespace

skeleton parse_skeleton(const std::string& file, std::string_view text) {
  if (text.size() > kTextMax) throw input_error(file + ": no skeleton has more than 1 MiB");
  return parser(file, text).parse();
}

}  // namespace loggp
