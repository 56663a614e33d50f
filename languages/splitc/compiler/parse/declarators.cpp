// SPDX-License-Identifier: Apache-2.0
// Declarators: from a name outwards, what it is a pointer to, an array of, a function returning.
// The derivations go on a stack in that order; derive.cpp makes the type. (C17 6.7.6.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

void parser::declarator(declarator_parts& d, naming names) {
  d.first = at_;
  d.derivations_first = derivations_.size();
  declarator_level(d, names);
  d.last = d.suffix_first = at_;
  if (derivations_.size() == d.derivations_first) return;
  const derivation& next_to_name = derivations_[d.derivations_first];
  d.function = next_to_name.function;
  if (next_to_name.step == derivation::kind::array) d.array_qualifiers = next_to_name.qualifiers;
}

// declarator:
//   pointer* direct-declarator
// The pointer nearest to the name is the last one.
void parser::declarator_level(declarator_parts& d, naming names) {
  const nesting level(*this);
  const std::size_t first = pointers_.size();
  while (at(punctuator::star)) {
    derivation p;
    p.at = at_;
    advance();
    pointer_qualifiers(p, d, names);
    pointers_.push_back(p);
    check_chain(static_cast<int>(pointers_.size() - first));
  }
  direct_declarator(d, names);
  derivations_.insert(derivations_.end(), pointers_.rbegin(),
                      pointers_.rend() - static_cast<std::ptrdiff_t>(first));
  pointers_.resize(first);
}

// pointer:
//   * pointer-qualifier*
// pointer-qualifier: one of
//   const volatile restrict _Atomic attributes global spread
void parser::pointer_qualifiers(derivation& p, declarator_parts& d, naming names) {
  auto take = [&](qualifier q) {
    p.qualifiers |= q;
    advance();
  };
  for (;;) {
    switch (now().word) {
      case keyword::kw_const:
        take(kConst);
        continue;
      case keyword::kw_volatile:
        take(kVolatile);
        continue;
      case keyword::kw_restrict:
        take(kRestrict);
        continue;
      case keyword::kw_atomic:
        take(kAtomic);
        continue;
      case keyword::kw_seg_fs:
      case keyword::kw_seg_gs:
        take(kSegment);
        continue;
      case keyword::kw_attribute:
        attributes(d.attributes);
        continue;
      default:
        break;
    }
    if (!is_reach_word(names)) return;
    const reach view = now().name == global_word_ ? reach::global : reach::spread;
    if (p.view != reach::local) {
      error(at_, p.view == view ? "duplicate '" + std::string(now().text) + "'"
                                : "both 'global' and 'spread' behind one '*'");
    }
    p.view = view;
    d.translate = true;
    advance();
  }
}

// `int global *p`, `int spread a[3]`: the word was taken for the declared name.
void parser::refuse_misplaced_reach() {
  if (!options_.splitc || !(at(punctuator::star) || now().kind == token_kind::identifier)) return;
  const token& word = tokens_[at_ - 1];
  if (word.kind != token_kind::identifier) return;
  if (word.name != global_word_ && word.name != spread_word_) return;
  fail_with(at_ - 1, "expected '*' before '" + std::string(word.text) +
                         "': the qualifier stands behind the '*' that it is for");
}

// Whether the word here, behind a `*`, is the qualifier `global` or `spread`. Where a name must
// follow and none does, the word is that name: `int *global;` declares a pointer of C.
bool parser::is_reach_word(naming names) const {
  if (now().kind != token_kind::identifier || !options_.splitc) return false;
  if (now().name != global_word_ && now().name != spread_word_) return false;
  if (names != naming::named) return true;
  const token& next = behind(1);
  if (next.kind == token_kind::identifier || is(next, punctuator::star)) return true;
  if (is(next, punctuator::left_parenthesis)) {
    const token& inner = behind(2);
    return !is(inner, punctuator::right_parenthesis) && !starts_declaration(inner);
  }
  if (is(next, keyword::kw_attribute)) {  // `*global __attribute__((unused)) x`
    const token& later = behind(1 + attributes_length(1));
    return later.kind == token_kind::identifier || is(later, punctuator::star);
  }
  return next.kind == token_kind::keyword && !is(next, keyword::kw_asm);
}

// direct-declarator:
//   identifier [attributes] suffix*
//   ( [attributes] declarator ) suffix*
//   suffix*                                abstract
void parser::direct_declarator(declarator_parts& d, naming names) {
  if (now().kind == token_kind::identifier && names != naming::abstract) {
    d.name = now().name;
    d.name_at = at_;
    advance();
    if (at(punctuator::left_bracket)) attributes(d.attributes);
  } else if (at(punctuator::left_parenthesis) && is_nested_declarator(names)) {
    advance();
    attributes(d.attributes);
    declarator_level(d, names);
    expect(punctuator::right_parenthesis);
  } else if (names == naming::named) {
    fail("identifier or '('");
  }
  declarator_suffixes(d);
}

// Whether `(` opens a declarator, not a list of parameters.
bool parser::is_nested_declarator(naming names) const {
  if (names == naming::named) return true;
  const token& next = behind(1 + attributes_length(1));
  if (is(next, punctuator::right_parenthesis) || is(next, punctuator::ellipsis)) return false;
  if (names == naming::abstract && next.kind == token_kind::identifier) return false;
  return !starts_declaration(next);
}

// suffix:
//   [ ... ]
//   ( ... )
//   ::                  the bounds before it are of a spread array's blocks, those after it
//                       of a block
void parser::declarator_suffixes(declarator_parts& d) {
  const std::size_t first = derivations_.size();
  bool spread = false;
  for (;;) {
    check_chain(static_cast<int>(derivations_.size() - first));
    if (at(punctuator::left_bracket) && !at_attributes()) {
      array_suffix(d);
    } else if (at(punctuator::left_parenthesis)) {
      function_suffix(d);
    } else if (at(punctuator::double_colon) && options_.splitc) {
      spread_mark(first, spread);
      spread = d.translate = true;
    } else {
      return;
    }
  }
}

void parser::spread_mark(std::size_t first, bool again) {
  if (again) fail_with(at_, "a second '::' in a declarator");
  if (derivations_.size() == first) fail_with(at_, "expected a bound in brackets before '::'");
  for (std::size_t i = first; i < derivations_.size(); ++i) {
    if (derivations_[i].step != derivation::kind::array)
      fail_with(at_, "a function cannot return a spread array");
    derivations_[i].step = derivation::kind::spread_bound;
  }
  derivations_[first].starts_spread = true;
  advance();
}

// array-suffix:
//   [ {static | type-qualifier} [bound] ]
//   [ {type-qualifier} * ]
void parser::array_suffix(declarator_parts& d) {
  derivation a;
  a.step = derivation::kind::array;
  a.at = at_;
  advance();
  for (;;) {
    switch (now().word) {
      case keyword::kw_static:
        break;
      case keyword::kw_const:
        a.qualifiers |= kConst;
        break;
      case keyword::kw_volatile:
        a.qualifiers |= kVolatile;
        break;
      case keyword::kw_restrict:
        a.qualifiers |= kRestrict;
        break;
      case keyword::kw_atomic:
        a.qualifiers |= kAtomic;
        break;
      default:
        array_bound(a, d);
        return;
    }
    advance();
  }
}

void parser::array_bound(derivation& a, declarator_parts& d) {
  if (at(punctuator::star) && is(behind(1), punctuator::right_bracket)) {
    advance();
    a.bound = bound_kind::star;
  } else if (!at(punctuator::right_bracket)) {
    node* e = meaning_.value_of(assignment_expression());
    auto complain = [&](const char* what) {
      const std::string name = d.name ? " '" + std::string(d.name->text) + "'" : "";
      error(e->at, "size of array" + name + what);
    };
    if (e->type->kind != type_kind::error && !is_integer(e->type.of))
      complain(" has non-integer type");
    d.translate |= e->translate;
    a.bound_node = e;
    a.bound = bound_kind::variable;
    if (const auto n = meaning_.fold(e)) {
      a.bound = bound_kind::constant;
      a.count = *n < 0 ? 0 : static_cast<std::uint64_t>(*n);
      if (*n < 0) complain(" is negative");
    }
  }
  expect(punctuator::right_bracket);
  derivations_.push_back(a);
}

}  // namespace splitcc
