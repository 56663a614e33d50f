// SPDX-License-Identifier: Apache-2.0
// Types that several words name together: `unsigned long int`. (C17 6.7.2.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

// type-word: one of
//   void char int float double _Bool __int128 _Float16 ... _Decimal128
//   short long signed unsigned _Complex
bool parser::type_word(type_words& words) {
  const keyword k = now().word;
  switch (k) {
    case keyword::kw_short:
      if (words.shorts < 3) ++words.shorts;
      break;
    case keyword::kw_long:
      if (words.longs < 3) ++words.longs;
      break;
    case keyword::kw_complex:
      words.complex = true;
      break;
    case keyword::kw_signed:
    case keyword::kw_unsigned:
      if (words.sign != keyword::none && words.sign != k)
        error(at_, "both 'signed' and 'unsigned' in declaration specifiers");
      words.sign = k;
      break;
    case keyword::kw_void:
    case keyword::kw_char:
    case keyword::kw_int:
    case keyword::kw_float:
    case keyword::kw_double:
    case keyword::kw_bool:
    case keyword::kw_int128:
    case keyword::kw_float16:
    case keyword::kw_float32:
    case keyword::kw_float64:
    case keyword::kw_float128:
    case keyword::kw_float32x:
    case keyword::kw_float64x:
    case keyword::kw_decimal32:
    case keyword::kw_decimal64:
    case keyword::kw_decimal128:
      if (words.base != keyword::none)
        error(at_, "two or more data types in declaration specifiers");
      words.base = k;
      break;
    default:
      return false;
  }
  if (words.has_other) error(at_, "two or more data types in declaration specifiers");
  advance();
  return true;
}

namespace {

// With `signed` or nothing, and with `unsigned`; error: no such type.
struct integer_kinds {
  type_kind plain, without_sign;
};

integer_kinds integer_of(const type_words& w) {
  constexpr integer_kinds kNone = {type_kind::error, type_kind::error};
  if (w.base == keyword::kw_char) {
    if (w.shorts || w.longs) return kNone;
    const bool plain = w.sign == keyword::none;
    return {plain ? type_kind::char_ : type_kind::signed_char, type_kind::unsigned_char};
  }
  if (w.base == keyword::kw_int128)
    return w.shorts || w.longs ? kNone
                               : integer_kinds{type_kind::int128, type_kind::unsigned_int128};
  if (w.shorts > 1 || w.longs > 2 || (w.shorts && w.longs)) return kNone;
  if (w.shorts) return {type_kind::short_, type_kind::unsigned_short};
  if (w.longs == 1) return {type_kind::long_, type_kind::unsigned_long};
  if (w.longs == 2) return {type_kind::long_long, type_kind::unsigned_long_long};
  return {type_kind::int_, type_kind::unsigned_int};
}

type_kind kind_without_sign(const type_words& w) {
  if (w.shorts || w.longs > 1 || (w.longs && w.base != keyword::kw_double)) return type_kind::error;
  switch (w.base) {
    case keyword::kw_void:
      return w.complex ? type_kind::error : type_kind::void_;
    case keyword::kw_bool:
      return w.complex ? type_kind::error : type_kind::bool_;
    case keyword::kw_float:
      return type_kind::float_;
    case keyword::kw_double:
      return w.longs ? type_kind::long_double : type_kind::double_;
    case keyword::kw_float16:
      return type_kind::float16;
    case keyword::kw_float32:
      return type_kind::float32;
    case keyword::kw_float64:
      return type_kind::float64;
    case keyword::kw_float128:
      return type_kind::float128;
    case keyword::kw_float32x:
      return type_kind::float32x;
    case keyword::kw_float64x:
      return type_kind::float64x;
    case keyword::kw_decimal32:
      return type_kind::decimal32;
    case keyword::kw_decimal64:
      return type_kind::decimal64;
    case keyword::kw_decimal128:
      return type_kind::decimal128;
    default:
      return type_kind::error;
  }
}

}  // namespace

const type* parser::type_of_words(const type_words& words, token_index where) {
  type_table& types = meaning_.types();
  type_words w = words;
  const bool only_complex =
      w.complex && w.base == keyword::none && w.sign == keyword::none && !w.shorts && !w.longs;
  if (only_complex) w.base = keyword::kw_double;
  if (w.complex && w.base == keyword::none && w.longs == 1 && w.sign == keyword::none)
    w.base = keyword::kw_int;
  const bool integer = w.base == keyword::none || w.base == keyword::kw_int ||
                       w.base == keyword::kw_char || w.base == keyword::kw_int128;
  type_kind kind = type_kind::error;
  if (integer) {
    const integer_kinds kinds = integer_of(w);
    kind = w.sign == keyword::kw_unsigned ? kinds.without_sign : kinds.plain;
  } else if (w.sign == keyword::none) {
    kind = kind_without_sign(w);
  }
  if (kind == type_kind::error) error(where, "these type specifiers do not go together");
  const type* t = types.basic(kind);
  return w.complex && kind != type_kind::error ? types.complex_of(t) : t;
}

}  // namespace splitcc
