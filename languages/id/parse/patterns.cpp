// SPDX-License-Identifier: Apache-2.0
// Patterns.
#include <charconv>

#include "languages/id/parse/grammar.hpp"

namespace idc {

using enum token_kind;
using pattern_kind = pattern::kind;

// pattern = applied_pattern [ ":" pattern ] .
pattern* parser::parse_pattern() {
  const nesting deeper(*this);
  pattern* head = parse_applied_pattern();
  if (!accept(colon)) return head;
  pattern* made = make<pattern>(head->where);
  made->is = pattern_kind::cons;
  made->parts = list<pattern>({head, parse_pattern()});
  return made;
}

// applied_pattern = Name { simple_pattern } | simple_pattern .
pattern* parser::parse_applied_pattern() {
  if (!at(constructor_name)) return parse_simple_pattern();
  pattern* made = make<pattern>(here());
  made->is = pattern_kind::constructor;
  made->name = expect_text(constructor_name);
  chain links(*this);
  made->parts = parse_simple_patterns(links);
  return made;
}

std::span<pattern*> parser::parse_simple_patterns(chain& inside) {
  std::vector<pattern*> patterns;
  while (begins_simple_pattern()) {
    inside.begin_link();
    patterns.push_back(parse_simple_pattern());
    inside.end_inner_link();
  }
  return list(patterns);
}

bool parser::begins_simple_pattern() const {
  switch (now().kind) {
    case name:
    case constructor_name:
    case underscore:
    case integer:
    case minus:
    case string:
    case true_:
    case false_:
    case nil:
    case left_parenthesis:
      return true;
    default:
      return false;
  }
}

// simple_pattern = name | Name | "_" | literal | "nil" | "(" pattern { "," pattern } ")" .
pattern* parser::parse_simple_pattern() {
  if (!begins_simple_pattern()) fail("a pattern");
  pattern* made = make<pattern>(here());
  if (at(name)) {
    made->is = pattern_kind::variable;
    made->name = expect_text(name);
  } else if (at(constructor_name)) {
    made->is = pattern_kind::constructor;
    made->name = expect_text(constructor_name);
  } else if (accept(underscore)) {
    made->is = pattern_kind::wildcard;
  } else if (accept(nil)) {
    made->is = pattern_kind::nil;
  } else if (accept(left_parenthesis)) {
    std::vector<pattern*> parts;
    if (!at(right_parenthesis)) {
      chain links(*this);
      do {
        links.begin_link();
        parts.push_back(parse_pattern());
        links.end_inner_link();
      } while (accept(comma));
    }
    expect(right_parenthesis);
    if (parts.size() == 1) return parts.front();
    made->is = pattern_kind::tuple;
    made->parts = list(parts);
  } else {
    return parse_literal_pattern();
  }
  return made;
}

// literal = [ "-" ] integer | string | "true" | "false" .
pattern* parser::parse_literal_pattern() {
  pattern* made = make<pattern>(here());
  if (at(true_) || at(false_)) {
    made->is = pattern_kind::boolean;
    made->integer = at(true_);
    advance();
    return made;
  }
  if (at(string)) {
    made->is = pattern_kind::string;
    made->name = text_of(now());
    advance();
    return made;
  }
  const bool negative = accept(minus);
  made->is = pattern_kind::integer;
  const std::string_view digits = expect_text(integer);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), made->integer).ec !=
      std::errc())
    error(made->where, "this integer has more than 64 bits");
  if (negative) made->integer = -made->integer;
  return made;
}

}  // namespace idc
