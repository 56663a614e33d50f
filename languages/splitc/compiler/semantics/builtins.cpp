// SPDX-License-Identifier: Apache-2.0
// The types of functions that nobody declares: built-in ones, and those of C's library in programs
// that call them without their header. An unknown __builtin_ name gets the unknown type: the C
// compiler judges its calls.
#include "languages/splitc/compiler/semantics/builtins.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "languages/splitc/compiler/semantics/builtins.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

constexpr known_function kKnown[] = {
#define SPLITCC_BUILTIN(name, letters) {#name, letters, builtin_rule::signature, false},
#define SPLITCC_LIBRARY_FUNCTION(name, letters) {#name, letters, builtin_rule::signature, true},
#define SPLITCC_GENERIC(name, from) {#name, "", builtin_rule::from, false},
#define SPLITCC_MATHEMATICAL(name, signature)
#include "languages/splitc/compiler/semantics/builtins.def"
#undef SPLITCC_BUILTIN
#undef SPLITCC_LIBRARY_FUNCTION
#undef SPLITCC_GENERIC
#undef SPLITCC_MATHEMATICAL
};

constexpr known_function kMathematical[] = {
#define SPLITCC_BUILTIN(name, signature)
#define SPLITCC_LIBRARY_FUNCTION(name, signature)
#define SPLITCC_GENERIC(name, rule)
#define SPLITCC_MATHEMATICAL(name, letters) {#name, letters, builtin_rule::signature, true},
#include "languages/splitc/compiler/semantics/builtins.def"
#undef SPLITCC_BUILTIN
#undef SPLITCC_LIBRARY_FUNCTION
#undef SPLITCC_GENERIC
#undef SPLITCC_MATHEMATICAL
};

constexpr bool before(const known_function& a, const known_function& b) { return a.name < b.name; }
static_assert(std::is_sorted(std::begin(kKnown), std::end(kKnown), before));
static_assert(std::is_sorted(std::begin(kMathematical), std::end(kMathematical), before));

template <std::size_t Count>
const known_function* find_in(const known_function (&table)[Count], std::string_view name) {
  const auto at = std::lower_bound(
      std::begin(table), std::end(table), name,
      [](const known_function& f, std::string_view wanted) { return f.name < wanted; });
  return at != std::end(table) && at->name == name ? at : nullptr;
}

// "dd" as "ff", "ee" or "qq".
std::string of_precision(std::string_view signature, char letter) {
  std::string changed(signature);
  std::replace(changed.begin(), changed.end(), 'd', letter);
  return changed;
}

// `__builtin___memcpy_chk` and its like return what the function itself does.
std::string_view checked_function(std::string_view name) {
  if (!name.starts_with("__") || !name.ends_with("_chk")) return {};
  name.remove_prefix(2);
  name.remove_suffix(4);
  return name;
}

type_kind kind_of_letter(char letter) {
  switch (letter) {
    case 'b':
      return type_kind::bool_;
    case 'c':
      return type_kind::char_;
    case 'h':
      return type_kind::short_;
    case 't':
      return type_kind::unsigned_short;
    case 'i':
      return type_kind::int_;
    case 'u':
      return type_kind::unsigned_int;
    case 'l':
      return type_kind::long_;
    case 'm':
      return type_kind::unsigned_long;
    case 'L':
      return type_kind::long_long;
    case 'M':
      return type_kind::unsigned_long_long;
    case 'f':
      return type_kind::float_;
    case 'd':
      return type_kind::double_;
    case 'e':
      return type_kind::long_double;
    case 'q':
      return type_kind::float128;
    case 'A':
      return type_kind::va_list;
    default:
      return type_kind::void_;
  }
}

}  // namespace

const known_function* find_builtin(std::string_view name) { return find_in(kKnown, name); }

const type* builtin_functions::read_signature(std::string_view& signature) {
  const char letter = signature[0];
  signature.remove_prefix(1);
  if (letter == 'x') return types_.complex_of(read_signature(signature));
  if (letter != 'P') return types_.basic(kind_of_letter(letter));
  std::uint8_t qualifiers = 0;
  if (signature[0] == 'C') {
    qualifiers = kConst;
    signature.remove_prefix(1);
  }
  return types_.pointer_to({read_signature(signature), qualifiers});
}

const type* builtin_functions::function_by_signature(std::string_view signature) {
  const type* result = read_signature(signature);
  std::vector<parameter> parameters;
  bool variadic = false;
  while (!signature.empty()) {
    if (signature[0] == '.') {
      variadic = true;
      break;
    }
    parameters.push_back({{read_signature(signature), 0}});
  }
  const bool prototyped = !variadic || !parameters.empty();
  return types_.function_of({result, 0}, std::move(parameters), variadic, prototyped);
}

const type* builtin_functions::mathematical_type(std::string_view name) {
  if (const known_function* f = find_in(kMathematical, name))
    return function_by_signature(f->signature);
  char letter = 0;
  if (name.ends_with("f128")) {
    name.remove_suffix(4);
    letter = 'q';
  } else if (name.ends_with("f") || name.ends_with("l")) {
    letter = name.back() == 'f' ? 'f' : 'e';
    name.remove_suffix(1);
  }
  const known_function* f = letter ? find_in(kMathematical, name) : nullptr;
  return f ? function_by_signature(of_precision(f->signature, letter)) : nullptr;
}

// Without a prototype: old programs leave arguments out.
const type* builtin_functions::library_function_type(const identifier* name) {
  const type* known = nullptr;
  const known_function* f = find_builtin(name->text);
  if (f && f->is_library)
    known = function_by_signature(f->signature);
  else
    known = mathematical_type(name->text);
  return known ? types_.function_of(known->target, {}, false, false) : nullptr;
}

// Entities of the unit, made when first named.
entity* builtin_functions::named(identifier* name) {
  if (!name->text.starts_with("__")) return nullptr;
  std::string_view rest = name->text;
  const bool built_in = rest.starts_with("__builtin_");
  if (!built_in && !rest.starts_with("__sync_") && !rest.starts_with("__atomic_")) return nullptr;
  entity*& made = made_[name];
  if (made) return made;
  made = memory_.make<entity>();
  made->kind = entity_kind::builtin;
  made->link = linkage::external;
  made->name = name;
  made->type = {unknown_type(), 0};
  if (!built_in) return made;
  rest.remove_prefix(10);
  const known_function* f = find_builtin(rest);
  if (f && f->rule == builtin_rule::signature) {
    made->type = {function_by_signature(f->signature), 0};
  } else if (const type* t = mathematical_type(rest)) {
    made->type = {t, 0};
  } else if (const known_function* plain = find_builtin(checked_function(rest))) {
    std::string_view signature = plain->signature;
    made->type = {types_.function_of({read_signature(signature), 0}, {}, true, false), 0};
  }
  return made;
}

}  // namespace splitcc
