// SPDX-License-Identifier: Apache-2.0
// Integer and floating constants: value, suffix, type. (C17 6.4.4.1, 6.4.4.2; GNU: imaginary ones,
// binary ones, the suffixes of the additional floating types.)
#include "languages/splitc/compiler/semantics/arithmetic.hpp"
#include "languages/splitc/compiler/semantics/literals.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

struct suffix {
  bool is_unsigned = false;
  int longs = 0;
  bool imaginary = false;
  bool valid = true;
};

suffix integer_suffix(std::string_view s) {
  suffix found;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const char c = s[i];
    if ((c == 'u' || c == 'U') && !found.is_unsigned) {
      found.is_unsigned = true;
    } else if ((c == 'l' || c == 'L') && found.longs == 0) {
      found.longs = i + 1 < s.size() && s[i + 1] == c ? 2 : 1;
      i += static_cast<std::size_t>(found.longs) - 1;
    } else if ((c == 'i' || c == 'I' || c == 'j' || c == 'J') && !found.imaginary) {
      found.imaginary = true;
    } else {
      found.valid = false;
    }
  }
  return found;
}

struct digits_read {
  unsigned __int128 value = 0;
  bool decimal = false;
  bool too_large = false;
  char bad_digit = 0;
  std::string_view rest;
};

digits_read integer_digits(std::string_view text) {
  digits_read d;
  unsigned base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char second = text[1] | 0x20;
    base = second == 'x' ? 16 : second == 'b' ? 2 : 8;
    if (base != 8) text.remove_prefix(2);
  }
  d.decimal = base == 10;
  while (!text.empty()) {
    const char c = text[0];
    const char lower = static_cast<char>(c | 0x20);
    unsigned digit = 16;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
    if (base == 16 && lower >= 'a' && lower <= 'f') digit = static_cast<unsigned>(lower - 'a') + 10;
    if (digit == 16) break;
    if (digit >= base) d.bad_digit = c;
    d.too_large |= d.value > (~static_cast<unsigned __int128>(0) - digit) / base;
    d.value = d.value * base + digit;
    text.remove_prefix(1);
  }
  d.rest = text;
  return d;
}

// The first of the types of 6.4.4.1 that holds the value.
type_kind integer_kind(const digits_read& d, const suffix& s) {
  const bool unsigned_too = s.is_unsigned || !d.decimal;
  const unsigned __int128 int_max = 0x7fffffff, long_max = ~std::uint64_t{0} >> 1;
  auto fits = [&](unsigned __int128 max, type_kind& found, type_kind with, type_kind without) {
    if (!s.is_unsigned && d.value <= max)
      found = with;
    else if (unsigned_too && d.value <= 2 * max + 1)
      found = without;
    else
      return false;
    return true;
  };
  type_kind found = type_kind::int128;
  if (s.longs == 0 && fits(int_max, found, type_kind::int_, type_kind::unsigned_int)) return found;
  if (s.longs < 2 && fits(long_max, found, type_kind::long_, type_kind::unsigned_long))
    return found;
  if (s.longs == 2 && fits(long_max, found, type_kind::long_long, type_kind::unsigned_long_long))
    return found;
  return s.is_unsigned ? type_kind::unsigned_int128 : type_kind::int128;
}

bool is_floating_text(std::string_view text) {
  const bool hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  return text.find_first_of(hexadecimal ? ".pP" : ".eE") != std::string_view::npos;
}

std::string_view floating_suffix(std::string_view text) {
  const bool hexadecimal = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  std::size_t i = text.find_first_not_of(hexadecimal ? "0123456789abcdefABCDEFxX." : "0123456789.");
  if (i == std::string_view::npos) return {};
  const char mark = static_cast<char>(text[i] | 0x20);
  if (mark == (hexadecimal ? 'p' : 'e')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
  }
  return text.substr(i);
}

struct floating_name {
  std::string_view suffix;
  type_kind kind;
};

// In lower case, without the mark of an imaginary one.
constexpr floating_name kFloatingNames[] = {
    {"", type_kind::double_},      {"f", type_kind::float_},      {"l", type_kind::long_double},
    {"d", type_kind::double_},     {"f16", type_kind::float16},   {"f32", type_kind::float32},
    {"f64", type_kind::float64},   {"f32x", type_kind::float32x}, {"f64x", type_kind::float64x},
    {"f128", type_kind::float128}, {"q", type_kind::float128},    {"w", type_kind::long_double},
    {"df", type_kind::decimal32},  {"dd", type_kind::decimal64},  {"dl", type_kind::decimal128},
};

}  // namespace

node* literal_rules::number(token_range r) {
  const std::string_view text = tokens_.tokens[r.first].text;
  if (text.size() == 1) return integer(r, text[0] - '0', type_kind::int_);
  if (is_floating_text(text)) return floating(r, text);
  const digits_read d = integer_digits(text);
  const suffix s = integer_suffix(d.rest);
  if (!s.valid) {
    report_.error(r.at, "invalid suffix \"" + std::string(d.rest) + "\" on integer constant");
    return error_node(r);
  }
  if (d.bad_digit) {
    report_.error(r.at, std::string("invalid digit \"") + d.bad_digit + "\" in octal constant");
    return error_node(r);
  }
  const bool over_64_bits = d.too_large || d.value > ~std::uint64_t{0};
  const type_kind kind = integer_kind(d, s);
  if (over_64_bits)
    report_.warning(r.at, "", "integer constant is too large for its type");
  else if (kind == type_kind::int128)
    report_.warning(r.at, "", "integer constant is so large that it is unsigned");
  if (!s.imaginary) return integer(r, static_cast<__int128>(d.value), kind);
  return new_expression(node_kind::number, r, {types_.complex_of(types_.basic(kind)), 0});
}

node* literal_rules::integer(token_range r, __int128 value, type_kind kind) {
  node* made = new_expression(node_kind::number, r, {types_.basic(kind), 0});
  made->value = value;
  made->is_constant = true;
  made->is_null_constant = value == 0;
  return made;
}

node* literal_rules::floating(token_range r, std::string_view text) {
  std::string name(floating_suffix(text));
  const std::string written = name;
  for (char& c : name)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  const std::size_t mark = name.find_first_of("ij");
  if (mark != std::string::npos) name.erase(mark, 1);
  for (const floating_name& known : kFloatingNames) {
    if (known.suffix != name) continue;
    const type* t = types_.basic(known.kind);
    if (mark != std::string::npos) t = types_.complex_of(t);
    return new_expression(node_kind::number, r, {t, 0});
  }
  report_.error(r.at, "invalid suffix \"" + written + "\" on floating constant");
  return error_node(r);
}

}  // namespace splitcc
