// SPDX-License-Identifier: Apache-2.0
// Character constants and strings: prefixes, escapes, what code units they are.
// (C17 6.4.4.4, 6.4.5; GNU: \e, characters of several bytes.)
#include "languages/splitc/compiler/semantics/literals.hpp"
#include "languages/splitc/compiler/semantics/arithmetic.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

enum class prefix : std::uint8_t { none, utf8, utf16, utf32, wide };

struct literal {
  prefix kind = prefix::none;
  std::string_view body;  // between the quotes
};

literal taken_apart(std::string_view text) {
  literal l;
  std::size_t start = 0;
  if (text.starts_with("u8")) {
    l.kind = prefix::utf8;
    start = 2;
  } else if (text[0] == 'u' || text[0] == 'U' || text[0] == 'L') {
    l.kind = text[0] == 'u' ? prefix::utf16 : text[0] == 'U' ? prefix::utf32 : prefix::wide;
    start = 1;
  }
  l.body = text.substr(start + 1);
  if (!l.body.empty()) l.body.remove_suffix(1);
  return l;
}

bool is_narrow(prefix p) { return p == prefix::none || p == prefix::utf8; }

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 16;
}

struct character_read {
  std::uint32_t value = 0;
  bool is_code_point = false;  // or a code unit: \x, octal, a byte of a narrow literal
  bool is_unknown_escape = false;
};

std::uint32_t digits(std::string_view& s, int base, std::size_t count_max) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < count_max && !s.empty() && digit_of(s[0]) < base; ++i) {
    value = value * static_cast<std::uint32_t>(base) + static_cast<std::uint32_t>(digit_of(s[0]));
    s.remove_prefix(1);
  }
  return value;
}

// Behind the backslash.
character_read escape(std::string_view& s) {
  const char c = s.empty() ? '\\' : s[0];
  if (c >= '0' && c <= '7') return {digits(s, 8, 3)};
  if (!s.empty()) s.remove_prefix(1);
  switch (c) {
    case 'a':
      return {7};
    case 'b':
      return {8};
    case 't':
      return {9};
    case 'n':
      return {10};
    case 'v':
      return {11};
    case 'f':
      return {12};
    case 'r':
      return {13};
    case 'e':
    case 'E':
      return {27};
    case 'x':
      return {digits(s, 16, std::string_view::npos)};
    case 'u':
      return {digits(s, 16, 4), true};
    case 'U':
      return {digits(s, 16, 8), true};
    case '\\':
    case '\'':
    case '"':
    case '?':
    case '%':
      return {static_cast<unsigned char>(c)};
    default:
      return {static_cast<unsigned char>(c), false, true};
  }
}

// A character in UTF-8; a byte that begins none stands for itself.
character_read utf8(std::string_view& s) {
  const auto lead = static_cast<unsigned char>(s[0]);
  std::size_t bytes = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  bytes = std::min(bytes, s.size());
  std::uint32_t value = bytes == 1 ? lead : lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i)
    value = value << 6 | (static_cast<unsigned char>(s[i]) & 0x3fu);
  s.remove_prefix(bytes);
  return {value, true};
}

character_read next_character(std::string_view& s, prefix kind) {
  if (s[0] == '\\') {
    s.remove_prefix(1);
    return escape(s);
  }
  if (!is_narrow(kind)) return utf8(s);
  const auto byte = static_cast<unsigned char>(s[0]);
  s.remove_prefix(1);
  return {byte};
}

std::uint64_t code_units(const character_read& c, prefix kind) {
  if (!c.is_code_point) return 1;
  if (kind == prefix::utf16) return c.value >= 0x10000 ? 2 : 1;
  if (!is_narrow(kind)) return 1;
  return c.value < 0x80 ? 1 : c.value < 0x800 ? 2 : c.value < 0x10000 ? 3 : 4;
}

type_kind unit_kind(prefix p) {
  switch (p) {
    case prefix::utf16:
      return type_kind::unsigned_short;
    case prefix::utf32:
      return type_kind::unsigned_int;
    case prefix::wide:
      return type_kind::int_;
    default:
      return type_kind::char_;
  }
}

}  // namespace

// character-constant: a number of type int, wchar_t, char16_t or char32_t.
node* literal_rules::character(token_range r) {
  const literal l = taken_apart(tokens_.tokens[r.first].text);
  std::string_view rest = l.body;
  std::uint32_t value = 0;
  std::size_t count = 0;
  while (!rest.empty()) {
    const character_read c = next_character(rest, l.kind);
    if (c.is_unknown_escape) report_.warning(r.at, "", "unknown escape sequence");
    const bool narrow = is_narrow(l.kind);
    value = narrow && count > 0 ? value << 8 | (c.value & 0xff) : c.value;
    ++count;
  }
  const type* unit = types_.basic(unit_kind(l.kind));
  if (count > 1) report_.warning(r.at, "multichar", "multi-character character constant");
  node* made = new_expression(node_kind::character, r, {is_narrow(l.kind) ? int_type() : unit, 0});
  const bool one_byte = count <= 1 && is_narrow(l.kind);
  made->value = one_byte ? wrapped(value, unit) : wrapped(value, made->type.of);
  made->is_constant = true;
  made->is_null_constant = made->value == 0;
  return made;
}

// string-literal string-literal...: an array, as wide as the widest of them.
node* literal_rules::string(token_range r) {
  prefix kind = prefix::none;
  for (token_index i = r.first; i < r.last; ++i) {
    const prefix p = taken_apart(tokens_.tokens[i].text).kind;
    if (p != prefix::none) kind = p;
  }
  std::uint64_t count = 1;
  for (token_index i = r.first; i < r.last; ++i) {
    std::string_view rest = taken_apart(tokens_.tokens[i].text).body;
    if (is_narrow(kind) && rest.find('\\') == std::string_view::npos) {
      count += rest.size();
      continue;
    }
    while (!rest.empty()) {
      const character_read c = next_character(rest, kind);
      if (c.is_unknown_escape) report_.warning(i, "", "unknown escape sequence");
      count += code_units(c, kind);
    }
  }
  node* made = new_expression(node_kind::string, r, {string_type(unit_kind(kind), count), 0});
  made->is_lvalue = true;
  return made;
}

// One type for all short strings of a length.
const type* literal_rules::string_type(type_kind unit, std::uint64_t count) {
  const type* element = types_.basic(unit);
  if (unit != type_kind::char_ || count >= kKeptStringTypes)
    return types_.array_of({element, 0}, bound_kind::constant, count, nullptr);
  if (string_types_.empty()) string_types_.resize(kKeptStringTypes);
  const type*& kept = string_types_[count];
  if (!kept) kept = types_.array_of({element, 0}, bound_kind::constant, count, nullptr);
  return kept;
}

}  // namespace splitcc
