// SPDX-License-Identifier: Apache-2.0
// Types in the words of the language, as gcc writes them in its messages: `int *global`,
// `double (*spread)[4]`, `int (char *, ...)`.
#include <iterator>

#include "languages/splitc/compiler/semantics/types.hpp"
#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

std::string_view basic_words(type_kind k) {
  // In the order of type_kind.
  static constexpr std::string_view kWords[] = {"<error>",       "void",
                                                "_Bool",         "char",
                                                "signed char",   "unsigned char",
                                                "short int",     "short unsigned int",
                                                "int",           "unsigned int",
                                                "long int",      "long unsigned int",
                                                "long long int", "long long unsigned int",
                                                "__int128",      "__int128 unsigned",
                                                "_Float16",      "float",
                                                "double",        "long double",
                                                "_Float32",      "_Float64",
                                                "_Float32x",     "_Float64x",
                                                "_Float128",     "_Decimal32",
                                                "_Decimal64",    "_Decimal128"};
  static_assert(std::size(kWords) == static_cast<std::size_t>(type_kind::complex));
  if (k == type_kind::va_list) return "__builtin_va_list";
  return k < type_kind::complex ? kWords[static_cast<std::size_t>(k)] : std::string_view{};
}

namespace {

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

// Of what is not a pointer, array or function: the word in front.
std::string base_name(const type* t) {
  if (t->typedef_name) return std::string(t->typedef_name->text);
  switch (t->kind) {
    case type_kind::structure:
      return tagged("struct ", t->record->tag);
    case type_kind::union_:
      return tagged("union ", t->record->tag);
    case type_kind::enumeration:
      return tagged("enum ", t->enumeration->tag);
    case type_kind::complex:
      return "_Complex " + base_name(t->target.of);
    case type_kind::vector:
      return "__vector(" + std::to_string(t->count) + ") " + base_name(t->target.of);
    default:
      return std::string(basic_words(t->kind));
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
    case type_kind::spread_array:
      return spelled(t->target, inner + spread_bounds_text(t.of));
    case type_kind::function:
      return spelled(t->target, inner + parameters_text(t.of));
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
