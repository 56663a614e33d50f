// SPDX-License-Identifier: Apache-2.0
// The types of arithmetic (arithmetic.hpp).
#include "languages/splitc/compiler/semantics/arithmetic.hpp"

#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

constexpr std::uint32_t kIntBits = 32;
constexpr std::uint32_t kLongBits = 64;

// Conversion rank (C17 6.3.1.1): long and long long differ though they are equally wide.
int rank_of(type_kind k) {
  switch (k) {
    case type_kind::bool_:
      return 0;
    case type_kind::char_:
    case type_kind::signed_char:
    case type_kind::unsigned_char:
      return 1;
    case type_kind::short_:
    case type_kind::unsigned_short:
      return 2;
    case type_kind::int_:
    case type_kind::unsigned_int:
      return 3;
    case type_kind::long_:
    case type_kind::unsigned_long:
      return 4;
    case type_kind::long_long:
    case type_kind::unsigned_long_long:
      return 5;
    default:
      return 6;
  }
}

type_kind unsigned_of(type_kind k) {
  switch (k) {
    case type_kind::int_:
      return type_kind::unsigned_int;
    case type_kind::long_:
      return type_kind::unsigned_long;
    case type_kind::long_long:
      return type_kind::unsigned_long_long;
    case type_kind::int128:
      return type_kind::unsigned_int128;
    default:
      return k;
  }
}

// Of two floating types the one with the greater number holds the values of both, or wins where
// they are alike.
int floating_order(type_kind k) {
  switch (k) {
    case type_kind::float16:
      return 0;
    case type_kind::float_:
      return 1;
    case type_kind::float32:
      return 2;
    case type_kind::float32x:
      return 3;
    case type_kind::double_:
      return 4;
    case type_kind::float64:
      return 5;
    case type_kind::float64x:
      return 6;
    case type_kind::long_double:
      return 7;
    case type_kind::float128:
      return 8;
    case type_kind::decimal32:
      return 9;
    case type_kind::decimal64:
      return 10;
    default:
      return 11;
  }
}

const type* common_integer(const type_table& types, const type* a, const type* b) {
  const bool a_unsigned = is_unsigned(a), b_unsigned = is_unsigned(b);
  const int a_rank = rank_of(a->kind), b_rank = rank_of(b->kind);
  if (a_unsigned == b_unsigned) return a_rank >= b_rank ? a : b;
  const type* with_sign = a_unsigned ? b : a;
  const type* without = a_unsigned ? a : b;
  if (rank_of(without->kind) >= rank_of(with_sign->kind)) return without;
  if (width_of(with_sign) > width_of(without)) return with_sign;
  return types.basic(unsigned_of(with_sign->kind));
}

const type* common_complex(type_table& types, const type* a, const type* b) {
  const type* a_part = a->kind == type_kind::complex ? a->target.of : a;
  const type* b_part = b->kind == type_kind::complex ? b->target.of : b;
  return types.complex_of(common_type(types, a_part, b_part));
}

}  // namespace

std::uint32_t width_of(const type* t) {
  if (t->kind == type_kind::enumeration) t = t->enumeration->underlying;
  constexpr std::uint32_t kWidths[] = {1, 8, 16, kIntBits, kLongBits, kLongBits, 128};
  return kWidths[rank_of(t->kind)];
}

__int128 wrapped(__int128 value, const type* t) {
  if (t->kind == type_kind::bool_) return value != 0;
  const std::uint32_t width = width_of(t);
  if (width >= 128) return value;
  const auto shifted = static_cast<unsigned __int128>(value) << (128 - width);
  if (is_unsigned(t)) return static_cast<__int128>(shifted >> (128 - width));
  return static_cast<__int128>(shifted) >> (128 - width);
}

const type* promoted(const type_table& types, const type* t) {
  if (t->kind == type_kind::enumeration) t = t->enumeration->underlying;
  if (t->kind < type_kind::bool_ || t->kind >= type_kind::complex) return t;
  if (t->kind < type_kind::int_) return types.basic(type_kind::int_);
  return types.basic(t->kind);
}

std::uint32_t bit_field_width(const node* e) {
  for (;;) {
    switch (e->kind) {
      case node_kind::member:
      case node_kind::arrow:
        return e->is_bit_field ? *e->accessed->bits : 0;
      case node_kind::parenthesized:
      case node_kind::convert:
      case node_kind::assignment:
      case node_kind::postfix:
        e = e->children[0];
        break;
      case node_kind::unary:
        if (e->op != punctuator::increment && e->op != punctuator::decrement) return 0;
        e = e->children[0];
        break;
      case node_kind::binary:
        if (e->op != punctuator::comma) return 0;
        e = e->children[1];
        break;
      default:
        return 0;
    }
  }
}

const type* promoted_operand(const type_table& types, const node* e, const type* t) {
  const type* plain = promoted(types, t);
  if (plain->kind < type_kind::int_ || plain->kind > type_kind::unsigned_int128) return plain;
  const std::uint32_t width = bit_field_width(e);
  if (width == 0 || width > kIntBits) return plain;
  const bool stays_unsigned = width == kIntBits && is_unsigned(t);
  return types.basic(stays_unsigned ? type_kind::unsigned_int : type_kind::int_);
}

const type* common_type(type_table& types, const type* a, const type* b) {
  if (a == b) return a;
  if (is_unknown(a) || is_unknown(b)) return types.basic(type_kind::error);
  if (a->kind == type_kind::complex || b->kind == type_kind::complex)
    return common_complex(types, a, b);
  const bool a_floats = is_floating(a), b_floats = is_floating(b);
  if (a_floats && b_floats) return floating_order(a->kind) >= floating_order(b->kind) ? a : b;
  if (a_floats || b_floats) return a_floats ? a : b;
  return common_integer(types, promoted(types, a), promoted(types, b));
}

}  // namespace splitcc
