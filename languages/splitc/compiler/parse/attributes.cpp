// SPDX-License-Identifier: Apache-2.0
// Attributes and asm labels. The C compiler gets them as they stand; here only those matter that
// change a type or the layout of a record. (GNU C.)
#include <algorithm>

#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

void attribute_set::add(const attribute_set& other) {
  alignment = std::max(alignment, other.alignment);
  if (other.vector_bytes) vector_bytes = other.vector_bytes;
  if (other.mode != type_kind::error) {
    mode = other.mode;
    mode_is_complex = other.mode_is_complex;
  }
  packed |= other.packed;
  weak |= other.weak;
  transparent_union |= other.transparent_union;
  leaves_layout_unknown |= other.leaves_layout_unknown;
}

namespace {

// `__name__` is `name`.
std::string_view bare(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__"))
    return name.substr(2, name.size() - 4);
  return name;
}

// Those of records and members that we may pass over: they leave the layout alone.
bool is_harmless(std::string_view name) {
  constexpr std::string_view kHarmless[] = {"access",      "btf_type_tag",
                                            "cleanup",     "common",
                                            "deprecated",  "designated_init",
                                            "error",       "hot",
                                            "cold",        "may_alias",
                                            "nocommon",    "noinit",
                                            "noipa",       "nonstring",
                                            "persistent",  "retain",
                                            "section",     "tls_model",
                                            "unavailable", "unused",
                                            "used",        "visibility",
                                            "warn_unused", "warning",
                                            "gcc_struct",  "warn_if_not_aligned",
                                            "fallthrough", "const",
                                            "pure",        "noreturn",
                                            "format",      "nonnull"};
  return std::ranges::find(kHarmless, name) != std::end(kHarmless);
}

}  // namespace

// Of C2X, `[[...]]` is the other form: two opening brackets are nothing else.
bool parser::at_attributes(token_index n) const {
  return is(behind(n), keyword::kw_attribute) ||
         (is(behind(n), punctuator::left_bracket) && is(behind(n + 1), punctuator::left_bracket));
}

token_index parser::attributes_length(token_index from) const {
  token_index n = from;
  while (at_attributes(n)) {
    if (is(behind(n), keyword::kw_attribute)) ++n;
    int depth = 0;
    do {
      const punctuator mark = behind(n).mark;
      depth += mark == punctuator::left_parenthesis || mark == punctuator::left_bracket;
      depth -= mark == punctuator::right_parenthesis || mark == punctuator::right_bracket;
      ++n;
    } while (depth > 0 && behind(n).kind != token_kind::end);
  }
  return n - from;
}

// attributes:
//   __attribute__ ( ( [attribute] {, [attribute]} ) ) attributes
//   [ [ ... ] ] attributes
//   (empty)
void parser::attributes(attribute_set& into) {
  while (at_attributes()) {
    if (at(punctuator::left_bracket)) {
      into.leaves_layout_unknown = true;
      skip_balanced();
      continue;
    }
    advance();
    expect(punctuator::left_parenthesis);
    expect(punctuator::left_parenthesis);
    do attribute(into);
    while (accept(punctuator::comma));
    expect(punctuator::right_parenthesis);
    expect(punctuator::right_parenthesis);
  }
}

// attribute:
//   (empty)
//   name
//   name ( ... )
void parser::attribute(attribute_set& into) {
  if (now().kind != token_kind::identifier && now().kind != token_kind::keyword) return;
  const std::string_view name = bare(now().text);
  const token_index where = at_;
  advance();
  if (name == "packed") {
    into.packed = true;
  } else if (name == "weak") {
    into.weak = true;
  } else if (name == "transparent_union") {
    into.transparent_union = true;
  } else if (name == "mode") {
    return mode_attribute(into);
  } else if (name == "aligned") {
    const std::uint64_t n = attribute_number(16);
    if ((n & (n - 1)) != 0 || n > (1u << 28))
      error(where, "requested alignment is not a positive power of 2");
    else
      into.alignment = std::max(into.alignment, static_cast<std::uint32_t>(n));
    return;
  } else if (name == "vector_size") {
    into.vector_bytes = attribute_number(0);
    return;
  } else if (!is_harmless(name)) {
    into.leaves_layout_unknown = true;
  }
  if (at(punctuator::left_parenthesis)) skip_balanced();
}

// [( constant-expression )]
// 0 for a value that only the C compiler knows.
std::uint64_t parser::attribute_number(std::uint64_t otherwise) {
  if (!accept(punctuator::left_parenthesis)) return otherwise;
  if (accept(punctuator::right_parenthesis)) return otherwise;
  const node* e = conditional_expression();
  expect(punctuator::right_parenthesis);
  const auto n = meaning_.fold(e);
  return n && *n >= 0 ? static_cast<std::uint64_t>(*n) : 0;
}

namespace {

struct machine_mode {
  std::string_view name;
  type_kind kind;
  bool is_complex = false;
};

constexpr machine_mode kModes[] = {{"QI", type_kind::signed_char},
                                   {"byte", type_kind::signed_char},
                                   {"HI", type_kind::short_},
                                   {"SI", type_kind::int_},
                                   {"DI", type_kind::long_},
                                   {"word", type_kind::long_},
                                   {"pointer", type_kind::long_},
                                   {"unwind_word", type_kind::long_},
                                   {"libgcc_cmp_return", type_kind::long_},
                                   {"libgcc_shift_count", type_kind::long_},
                                   {"TI", type_kind::int128},
                                   {"HF", type_kind::float16},
                                   {"SF", type_kind::float_},
                                   {"DF", type_kind::double_},
                                   {"XF", type_kind::long_double},
                                   {"TF", type_kind::float128},
                                   {"HC", type_kind::float16, true},
                                   {"SC", type_kind::float_, true},
                                   {"DC", type_kind::double_, true},
                                   {"XC", type_kind::long_double, true},
                                   {"TC", type_kind::float128, true}};

type_kind unsigned_kind(type_kind k) {
  switch (k) {
    case type_kind::signed_char:
      return type_kind::unsigned_char;
    case type_kind::short_:
      return type_kind::unsigned_short;
    case type_kind::int_:
      return type_kind::unsigned_int;
    case type_kind::long_:
      return type_kind::unsigned_long;
    case type_kind::int128:
      return type_kind::unsigned_int128;
    default:
      return k;
  }
}

}  // namespace

// ( mode-name )
void parser::mode_attribute(attribute_set& into) {
  expect(punctuator::left_parenthesis);
  const std::string_view name = bare(now().text);
  const auto* found = std::ranges::find(kModes, name, &machine_mode::name);
  if (found == std::end(kModes)) {
    into.leaves_layout_unknown = true;
  } else {
    into.mode = found->kind;
    into.mode_is_complex = found->is_complex;
  }
  advance();
  expect(punctuator::right_parenthesis);
}

// suffix:
//   [asm ( string )] attributes
void parser::suffix(declarator_parts& d) {
  d.suffix_first = at_;
  if (at(keyword::kw_asm)) d.assembler_name = assembler_label();
  attributes(d.attributes);
  if (at(keyword::kw_asm)) {
    d.assembler_name = assembler_label();
    attributes(d.attributes);
  }
  d.last = at_;
}

std::string parser::assembler_label() {
  advance();
  expect(punctuator::left_parenthesis);
  if (now().kind != token_kind::string) fail("string literal");
  std::string name;
  while (now().kind == token_kind::string) {
    const std::string_view text = now().text;
    const std::size_t open = text.find('"');
    if (text.size() >= open + 2) name += text.substr(open + 1, text.size() - open - 2);
    advance();
  }
  expect(punctuator::right_parenthesis);
  return name;
}

qualified_type parser::with_attributes(qualified_type t, const attribute_set& a, bool is_typedef) {
  if (a.mode != type_kind::error) t.of = with_mode(t.of, a);
  if (a.vector_bytes) t = with_vector(t, a.vector_bytes);
  if (a.transparent_union && t->kind == type_kind::union_) t->record->is_transparent = true;
  if (is_typedef && a.alignment) {
    type* copy = meaning_.types().copy(t.of);
    copy->alignment_asked = a.alignment;
    t.of = copy;
  }
  return t;
}

// mode is of arithmetic types, and keeps the sign.
const type* parser::with_mode(const type* t, const attribute_set& a) {
  if (!is_arithmetic(t)) return t;
  const bool no_sign = is_integer(t) && is_unsigned(t) && t->kind != type_kind::char_;
  const type* plain = meaning_.types().basic(no_sign ? unsigned_kind(a.mode) : a.mode);
  return a.mode_is_complex ? meaning_.types().complex_of(plain) : plain;
}

// vector_size is of what a declarator ends at: the element, the result, the target. In C it would
// be that of the 64 bits that global and spread pointers become.
qualified_type parser::with_vector(qualified_type t, std::uint64_t bytes) {
  const bool is_wide = t->kind == type_kind::pointer && t->view != reach::local;
  if (is_wide || t->kind == type_kind::spread_array) {
    error(at_ - 1,
          "'vector_size' in a declaration with a global or spread pointer or a spread "
          "array: give the vector a name by a typedef");
    return t;
  }
  if (t->kind == type_kind::pointer)
    return {meaning_.types().pointer_to(with_vector(t->target, bytes), t->view), t.qualifiers};
  if (t->kind == type_kind::array || t->kind == type_kind::function) {
    type* copy = meaning_.types().copy(t.of);
    copy->target = with_vector(t->target, bytes);
    return {copy, t.qualifiers};
  }
  if (!is_integer(t.of) && !is_floating(t.of)) return t;
  const std::uint64_t size = size_of(t.of).value_or(0);
  if (size == 0 || bytes % size != 0) return t;
  return {meaning_.types().vector_of(t.of, bytes / size), t.qualifiers};
}

}  // namespace splitcc
