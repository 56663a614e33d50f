// SPDX-License-Identifier: Apache-2.0
// Reads and writes of global lvalues: words by the functions for them, all else as bytes.
#include "languages/splitc/compiler/emit/emission.hpp"

namespace splitcc {

std::optional<std::string_view> word_suffix(const type* t) {
  switch (t->kind) {
    case type_kind::bool_:
    case type_kind::unsigned_char:
      return "u1";
    case type_kind::char_:
      return t->char_is_unsigned ? "u1" : "i1";
    case type_kind::signed_char:
      return "i1";
    case type_kind::short_:
      return "i2";
    case type_kind::unsigned_short:
      return "u2";
    case type_kind::int_:
      return "i4";
    case type_kind::unsigned_int:
      return "u4";
    case type_kind::long_:
    case type_kind::long_long:
      return "i8";
    case type_kind::unsigned_long:
    case type_kind::unsigned_long_long:
    case type_kind::pointer:
      return "u8";
    case type_kind::float_:
    case type_kind::float32:
      return "f4";
    case type_kind::double_:
    case type_kind::float64:
    case type_kind::float32x:
      return "f8";
    case type_kind::enumeration:
      return word_suffix(t->enumeration->underlying);
    default:
      return std::nullopt;
  }
}

bool is_plain_word(const type* t) {
  switch (t->kind) {
    case type_kind::bool_:
    case type_kind::char_:
    case type_kind::long_long:
    case type_kind::unsigned_long_long:
    case type_kind::float32:
    case type_kind::float64:
    case type_kind::float32x:
      return false;
    case type_kind::pointer:
      return t->view != reach::local;
    default:
      return true;
  }
}

// The checked mode takes what is volatile for a word that processors wait for.
std::string emission::word_call(std::string_view what, const node* lvalue,
                                std::string_view suffix) const {
  const bool is_volatile = options_.check && (lvalue->type.qualifiers & kVolatile) != 0;
  return access_call(what) + (is_volatile ? "volatile_" : "") + std::string(suffix);
}

void emission::read(const node* lvalue) {
  if (lvalue->is_bit_field) return read_field(lvalue);
  read_from(lvalue, [&] { address(lvalue); });
}

// The value of an object of that type, wherever `at` says.
void emission::read_from(const node* lvalue, const std::function<void()>& at) {
  const type* t = lvalue->type.of;
  const auto suffix = word_suffix(t);
  if (!suffix) {
    const std::string value = new_name();
    out_.text("({ " + declared({t, 0}, value) + "; " + access_call("read_bytes") + "(&" + value +
              ", ");
    at();
    return out_.text(", sizeof " + value + "); " + value + "; })");
  }
  const bool is_cast = !is_plain_word(t);
  if (is_cast) out_.text("((" + type_name({t, 0}) + ")");
  const asking asks = lvalue->asks;
  out_.text(word_call(asks == asking::always        ? "read_"
                      : asks == asking::until_other ? "read_trying_"
                                                    : "read_any_",
                      lvalue, *suffix) +
            "(");
  at();
  if (asks == asking::until_other) out_.text(", &splitc_all_own");
  if (asks != asking::always) out_.text(", &splitc_end");
  out_.text(is_cast ? "))" : ")");
}

// A value on its way to a word of that type.
void emission::as_word(const type* t, const std::function<void()>& value) {
  const bool is_cast = t->kind == type_kind::bool_ || is_pointer(t, reach::local);
  if (is_cast) out_.text(t->kind == type_kind::bool_ ? "(_Bool)(" : "(splitc_bits)(");
  value();
  if (is_cast) out_.text(")");
}

// Writes what the variable `value` has, to where the variable `at` says.
void emission::write_variable(const node* lvalue, const std::string& at, const std::string& value) {
  const type* t = lvalue->type.of;
  if (lvalue->is_bit_field) return write_field(lvalue, at, [&] { out_.text(value); });
  const auto suffix = word_suffix(t);
  if (!suffix)
    return out_.text(access_call("write_bytes") + "(" + at + ", &" + value + ", sizeof " + value +
                     ")");
  out_.text(word_call("write_", lvalue, *suffix) + "(" + at + ", ");
  as_word(t, [&] { out_.text(value); });
  out_.text(")");
}

}  // namespace splitcc
