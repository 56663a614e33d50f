// SPDX-License-Identifier: Apache-2.0
// Floating constants, and the built-in functions whose calls are constants.
#include <bit>
#include <cstdlib>
#include <string>

#include "languages/splitc/compiler/semantics/arithmetic.hpp"
#include "languages/splitc/compiler/semantics/folding.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {
namespace {

// What is left of a value in an object of the type.
long double rounded(long double value, const type* t) {
  switch (t->kind) {
    case type_kind::float_:
    case type_kind::float32:
      return static_cast<float>(value);
    case type_kind::double_:
    case type_kind::float64:
    case type_kind::float32x:
      return static_cast<double>(value);
    default:
      return value;
  }
}

bool is_binary_floating(const type* t) { return is_floating(t) && t->kind < type_kind::decimal32; }

// The literal below conversions and parentheses; null if there is none.
const node* string_below(const node* e) {
  for (;;) {
    const bool passes = e->kind == node_kind::parenthesized || e->kind == node_kind::convert ||
                        e->kind == node_kind::cast;
    if (!passes) return e->kind == node_kind::string ? e : nullptr;
    e = e->children[0];
  }
}

}  // namespace

floating_constant folder::floating_binary(const node* e) const {
  const floating_constant a = floating(e->children[0]), b = floating(e->children[1]);
  if (!a || !b) return std::nullopt;
  switch (e->op) {
    case punctuator::plus:
      return rounded(*a + *b, e->type.of);
    case punctuator::minus:
      return rounded(*a - *b, e->type.of);
    case punctuator::star:
      return rounded(*a * *b, e->type.of);
    case punctuator::slash:
      return rounded(*a / *b, e->type.of);
    default:
      return std::nullopt;
  }
}

floating_constant folder::floating(const node* e) const {
  if (!e->type) return std::nullopt;
  if (is_integer(e->type.of)) {
    const constant value = integer(e);
    if (!value) return std::nullopt;
    const bool huge = e->type->kind == type_kind::unsigned_int128;
    return huge ? static_cast<long double>(static_cast<unsigned __int128>(*value))
                : static_cast<long double>(*value);
  }
  if (!is_binary_floating(e->type.of)) return std::nullopt;
  switch (e->kind) {
    case node_kind::number: {
      const std::string text(tokens_.tokens[e->first].text);
      return rounded(std::strtold(text.c_str(), nullptr), e->type.of);
    }
    case node_kind::parenthesized:
      return floating(e->children[0]);
    case node_kind::convert:
      if (e->converts != conversion::arithmetic) return std::nullopt;
      [[fallthrough]];
    case node_kind::cast: {
      const floating_constant value = floating(e->children[0]);
      return value ? floating_constant(rounded(*value, e->type.of)) : std::nullopt;
    }
    case node_kind::unary: {
      const floating_constant value = floating(e->children[0]);
      if (!value || (e->op != punctuator::minus && e->op != punctuator::plus)) return std::nullopt;
      return e->op == punctuator::minus ? -*value : *value;
    }
    case node_kind::binary:
      return floating_binary(e);
    case node_kind::conditional: {
      const std::optional<bool> chosen = truth(e->children[0]);
      if (!chosen) return std::nullopt;
      const node* then = e->children[1] ? e->children[1] : e->children[0];
      return floating(*chosen ? then : e->children[2]);
    }
    default:
      return std::nullopt;
  }
}

// Functions of the bits of one argument: the suffix says its width.
constant folder::call_of_bits(std::string_view name, const node* argument) const {
  const constant value = integer(argument);
  if (!value) return std::nullopt;
  const bool is_long = name.ends_with("l");
  if (name == "bswap16") return __builtin_bswap16(static_cast<std::uint16_t>(*value));
  if (name == "bswap32") return __builtin_bswap32(static_cast<std::uint32_t>(*value));
  if (name == "bswap64") return __builtin_bswap64(static_cast<std::uint64_t>(*value));
  while (name.ends_with("l")) name.remove_suffix(1);
  const int width = is_long ? 64 : 32;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  const std::uint64_t bits = static_cast<std::uint64_t>(*value) & mask;
  if (name == "popcount") return std::popcount(bits);
  if (name == "parity") return std::popcount(bits) & 1;
  if (name == "ffs") return bits ? std::countr_zero(bits) + 1 : 0;
  if (bits == 0) return std::nullopt;
  if (name == "clz") return std::countl_zero(bits) - (64 - width);
  if (name == "ctz") return std::countr_zero(bits);
  return std::nullopt;
}

constant folder::call(const node* e) const {
  const entity* f = named_by(e->children[0]);
  if (!f || e->children.size() < 2) return std::nullopt;
  std::string_view name = f->name->text;
  if (!name.starts_with("__builtin_")) return std::nullopt;
  name.remove_prefix(10);
  const node* argument = e->children[1];
  if (name == "constant_p") return truth(argument).has_value() || string_below(argument) != nullptr;
  if (name == "expect" || name == "expect_with_probability") return integer(argument);
  if (name == "strlen") {
    const node* literal = string_below(argument);
    if (!literal || literal->type->kind != type_kind::array) return std::nullopt;
    const std::string_view text = tokens_.tokens[literal->first].text;
    const bool plain = text.find('\\') == std::string_view::npos;
    return plain ? constant(literal->type->count - 1) : std::nullopt;
  }
  if (e->children.size() == 2) return call_of_bits(name, argument);
  return std::nullopt;
}

}  // namespace splitcc
