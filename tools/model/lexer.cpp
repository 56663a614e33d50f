// SPDX-License-Identifier: Apache-2.0
#include "tools/model/lexer.hpp"

#include <cctype>
#include <charconv>
#include <system_error>
#include <utility>

namespace loggp {

namespace {

constexpr std::pair<std::string_view, double> kUnits[] = {
    {"ns", 1},     {"us", 1e3},      {"ms", 1e6},          {"s", 1e9},
    {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824.0}};

}  // namespace

void lexer::skip() {
  while (at_ < text_.size()) {
    if (here() == '#')
      while (at_ < text_.size() && here() != '\n') step();
    else if (std::isspace(static_cast<unsigned char>(here())) != 0)
      step();
    else
      return;
  }
}

void lexer::read_number(token& t) {
  const char* const begin = text_.data() + at_;
  const auto [end, problem] = std::from_chars(begin, text_.data() + text_.size(), t.value);
  if (problem != std::errc()) fail(t, "this is not a number");
  for (const char* c = begin; c != end; ++c) step();
  std::string unit;
  while (std::isalnum(static_cast<unsigned char>(here())) != 0 || here() == '_') {
    unit += here();
    step();
  }
  if (unit.empty()) return;
  for (const auto& [name, factor] : kUnits)
    if (unit == name) {
      t.value *= factor;
      return;
    }
  fail(t, fmt::format("'{}' is not a unit: ns, us, ms, s, KiB, MiB or GiB", unit));
}

token lexer::next() {
  skip();
  token t;
  t.line = line_;
  t.column = column_;
  if (at_ >= text_.size()) return t;
  const auto c = static_cast<unsigned char>(here());
  if (std::isalpha(c) != 0) {
    t.what = token::kind::name;
    while (std::isalnum(static_cast<unsigned char>(here())) != 0 || here() == '_') {
      t.text += here();
      step();
    }
  } else if (std::isdigit(c) != 0 || c == '.') {
    t.what = token::kind::number;
    read_number(t);
  } else if (c == '"') {
    t.what = token::kind::text;
    step();
    while (at_ < text_.size() && here() != '"' && here() != '\n') {
      t.text += here();
      step();
    }
    if (here() != '"') fail(t, "the text has no end on its line");
    step();
  } else {
    t.what = token::kind::sign;
    t.text = here();
    step();
    if (here() == '=' && std::string_view("<>=!").find(t.text) != std::string_view::npos)
      step(), t.text += '=';
    if (std::string_view("{}()+-*/%^,<>=").find(t.text) == std::string_view::npos &&
        t.text.size() == 1)
      fail(t, std::isprint(c) != 0 ? fmt::format("'{}' means nothing here", t.text)
                                   : "this is not the text of a skeleton");
  }
  return t;
}

}  // namespace loggp
