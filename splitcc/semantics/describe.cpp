// SPDX-License-Identifier: Apache-2.0
// Types in the words of the language, as gcc writes them in its messages: `int *global`,
// `double (*spread)[4]`, `int (char *, ...)`.
#include "splitcc/semantics/types.hpp"
#include "splitcc/tree/node.hpp"

namespace splitcc {
namespace {

const char* basic_name(type_kind k) {
  switch (k) {
    case type_kind::void_: return "void";
    case type_kind::bool_: return "_Bool";
    case type_kind::char_: return "char";
    case type_kind::signed_char: return "signed char";
    case type_kind::unsigned_char: return "unsigned char";
    case type_kind::short_: return "short int";
    case type_kind::unsigned_short: return "short unsigned int";
    case type_kind::int_: return "int";
    case type_kind::unsigned_int: return "unsigned int";
    case type_kind::long_: return "long int";
    case type_kind::unsigned_long: return "long unsigned int";
    case type_kind::long_long: return "long long int";
    case type_kind::unsigned_long_long: return "long long unsigned int";
    case type_kind::int128: return "__int128";
    case type_kind::unsigned_int128: return "__int128 unsigned";
    case type_kind::float16: return "_Float16";
    case type_kind::float_: return "float";
    case type_kind::double_: return "double";
    case type_kind::long_double: return "long double";
    case type_kind::float32: return "_Float32";
    case type_kind::float64: return "_Float64";
    case type_kind::float32x: return "_Float32x";
    case type_kind::float64x: return "_Float64x";
    case type_kind::float128: return "_Float128";
    case type_kind::decimal32: return "_Decimal32";
    case type_kind::decimal64: return "_Decimal64";
    case type_kind::decimal128: return "_Decimal128";
    case type_kind::va_list: return "__builtin_va_list";
    default: return "<error>";
  }
}

std::string qualifier_words(std::uint8_t qualifiers) {
  std::string words;
  if (qualifiers & kConst) words += "const ";
  if (qualifiers & kVolatile) words += "volatile ";
  if (qualifiers & kRestrict) words += "restrict ";
  if (qualifiers & kAtomic) words += "_Atomic ";
  return words;
}

std::string tagged(const char* word, const identifier* tag) {
  return std::string(word) + (tag ? std::string(tag->text) : "<anonymous>");
}

// Of what is no pointer, array or function: the word in front.
std::string base_name(const type* t) {
  if (t->typedef_name) return std::string(t->typedef_name->text);
  switch (t->kind) {
    case type_kind::structure: return tagged("struct ", t->record->tag);
    case type_kind::union_: return tagged("union ", t->record->tag);
    case type_kind::enumeration: return tagged("enum ", t->enumeration->tag);
    case type_kind::complex: return "_Complex " + base_name(t->target.of);
    case type_kind::vector:
      return "__vector(" + std::to_string(t->count) + ") " + base_name(t->target.of);
    default: return basic_name(t->kind);
  }
}

std::string spelled(qualified_type t, const std::string& inner);

std::string bound_text(const type* array) {
  if (array->bound == bound_kind::constant) return "[" + std::to_string(array->count) + "]";
  return array->bound == bound_kind::unknown ? "[]" : "[...]";
}

std::string spread_bounds_text(const type* t) {
  std::string text;
  for (const node* b : t->spread_bounds)
    text += b && b->is_constant ? "[" + std::to_string(static_cast<long>(b->value)) + "]" : "[...]";
  return text + "::";
}

std::string parameters_text(const type* t) {
  std::string text;
  for (const parameter& p : t->parameters) text += (text.empty() ? "" : ", ") + spelled(p.type, "");
  if (t->variadic) text += text.empty() ? "..." : ", ...";
  if (text.empty() && t->prototyped) text = "void";
  return "(" + text + ")";
}

std::string pointer_text(const type* pointer, std::uint8_t qualifiers, const std::string& inner) {
  std::string text = "*";
  if (pointer->view == reach::global) text += "global ";
  if (pointer->view == reach::spread) text += "spread ";
  text += qualifier_words(qualifiers);
  if ((inner.empty() || inner[0] == '[') && text.back() == ' ') text.pop_back();
  text += inner;
  const type_kind target = pointer->target->kind;
  const bool binds_less = target == type_kind::array || target == type_kind::function ||
                          target == type_kind::spread_array;
  return binds_less ? "(" + text + ")" : text;
}

// The declaration of `inner` with type t.
std::string spelled(qualified_type t, const std::string& inner) {
  switch (t->kind) {
    case type_kind::pointer:
      return spelled(t->target, pointer_text(t.of, t.qualifiers, inner));
    case type_kind::array: {
      const unsigned qualifiers = t.qualifiers | t->target.qualifiers;
      return spelled({t->target.of, static_cast<std::uint8_t>(qualifiers)},
                     inner + bound_text(t.of));
    }
    case type_kind::spread_array: return spelled(t->target, inner + spread_bounds_text(t.of));
    case type_kind::function: return spelled(t->target, inner + parameters_text(t.of));
    default: {
      const std::string base = qualifier_words(t.qualifiers) + base_name(t.of);
      return inner.empty() || inner[0] == '[' || (inner[0] == '(' && inner[1] != '*')
                 ? base + inner
                 : base + " " + inner;
    }
  }
}

}  // namespace

std::string describe(qualified_type t) { return t ? spelled(t, "") : "<none>"; }

}  // namespace splitcc
