// SPDX-License-Identifier: Apache-2.0
// Types as C declarators. Global and spread pointers and spread arrays are splitc_bits, or a
// typedef of it whose name tells a debugger what is pointed to: splitc_global_to_int. A type that
// names itself in other words than the program's stays out of the way of shadowed names only by
// chance; so where specifiers were written, their words are kept (`spelled`).
#include "languages/splitc/compiler/emit/emission.hpp"

namespace splitcc {
namespace {

std::string qualifiers_text(std::uint8_t q) {
  std::string text;
  if (q & kConst) text += "const ";
  if (q & kVolatile) text += "volatile ";
  if (q & kRestrict) text += "__restrict ";
  if (q & kAtomic) text += "_Atomic ";
  return text;
}

std::string joined(std::string left, const std::string& right) {
  if (!right.empty() && right.front() != '[') left += ' ';
  return left + right;
}

bool is_array_or_function(const type* t) {
  return t->kind == type_kind::array || t->kind == type_kind::function;
}

bool is_same(qualified_type a, qualified_type b) {
  return a.of == b.of && a.qualifiers == b.qualifiers;
}

}  // namespace

std::string emission::declared(qualified_type t, std::string inner, const spelled* base) {
  if (base && is_same(t, base->type)) return joined(base->text, inner);
  if (t->typedef_name && !has_wide_part(t.of))
    return joined(qualifiers_text(t.qualifiers) + std::string(t->typedef_name->text), inner);
  switch (t->kind) {
    case type_kind::pointer:
      if (t->view != reach::local) break;
      inner = "*" + qualifiers_text(t.qualifiers) + inner;
      if (is_array_or_function(t->target.of)) inner = "(" + inner + ")";
      return declared(t->target, std::move(inner), base);
    case type_kind::array: {
      const unsigned qualifiers = t.qualifiers | t->target.qualifiers;
      return declared({t->target.of, static_cast<std::uint8_t>(qualifiers)},
                      declared_array(t.of, std::move(inner)), base);
    }
    case type_kind::function:
      return declared(t->target, inner + "(" + parameters(t.of, false) + ")", base);
    default:
      break;
  }
  return joined(declared_base(t, base), inner);
}

// What stands to the left of a declarator.
std::string emission::declared_base(qualified_type t, const spelled* base) {
  const std::string qualifiers = qualifiers_text(t.qualifiers);
  if (base && base->type.of == t.of) return qualifiers + base->text;
  switch (t->kind) {
    case type_kind::pointer:
      return qualifiers + pointer_name(t->view, t->target);
    case type_kind::spread_array:
      return qualifiers + pointer_name(reach::spread, t->target);
    case type_kind::complex:
      return qualifiers + "_Complex " + declared_base(t->target, nullptr);
    case type_kind::structure:
    case type_kind::union_:
      return qualifiers + record_name(t->record, t->kind == type_kind::union_);
    case type_kind::enumeration:
      if (t->enumeration->tag) return qualifiers + "enum " + std::string(t->enumeration->tag->text);
      return qualifiers + declared_base({t->enumeration->underlying, 0}, nullptr);
    case type_kind::vector:
      return qualifiers + "__attribute__((__vector_size__(" + std::to_string(*size_of(t.of)) +
             "))) " + declared_base(t->target, nullptr);
    default:
      return qualifiers + std::string(basic_words(t->kind));
  }
}

std::string emission::declared_array(const type* t, std::string inner) {
  switch (t->bound) {
    case bound_kind::unknown:
      return inner + "[]";
    case bound_kind::star:
      return inner + "[*]";
    case bound_kind::constant:
      return inner + "[" + std::to_string(t->count) + "]";
    case bound_kind::variable:
      break;
  }
  return inner + "[" + bound(t->bound_node) + "]";
}

std::string emission::bound(const node* n) {
  if (!n) return {};
  if (const auto kept = kept_bounds_.find(n); kept != kept_bounds_.end()) return kept->second;
  return out_.captured([&] { expression(n, power::assignment); });
}

// `names_only`: of a definition in the manner of K&R.
std::string emission::parameters(const type* function, bool names_only) {
  std::string list;
  for (const parameter& p : function->parameters) {
    if (!list.empty()) list += ", ";
    const std::string name = p.name ? std::string(p.name->text) : std::string();
    list += names_only ? name : declared(p.type, name);
  }
  if (names_only) return list;
  if (!function->prototyped) return {};
  if (function->variadic) return list.empty() ? "..." : list + ", ...";
  return list.empty() ? "void" : list;
}

// A record without a tag gets one where it was defined, if it has to be named.
std::string emission::record_name(const record* r, bool is_union) {
  const std::string word = is_union ? "union " : "struct ";
  if (r->tag) return word + std::string(r->tag->text);
  auto [known, is_new] = record_names_.try_emplace(r);
  if (is_new) known->second = "splitc_record_" + std::to_string(record_names_.size());
  return word + known->second;
}

std::string emission::pointer_name(reach view, qualified_type target) {
  if (!options_.pointee_names) return "splitc_bits";
  const std::string pointee = pointee_words(target);
  if (pointee.empty()) return "splitc_bits";
  std::string name = (view == reach::spread ? "splitc_spread_to_" : "splitc_global_to_") + pointee;
  pointer_names_.insert(name);
  return name;
}

// The pointee's type as words of an identifier; empty if there is none for it.
std::string emission::pointee_words(qualified_type t) {
  switch (t->kind) {
    case type_kind::pointer: {
      const std::string target = pointee_words(t->target);
      const char* word = t->view == reach::local    ? "pointer_to_"
                         : t->view == reach::global ? "global_to_"
                                                    : "spread_to_";
      return target.empty() ? target : word + target;
    }
    case type_kind::structure:
    case type_kind::union_:
      if (!t->record->tag) return {};
      return (t->kind == type_kind::union_ ? "union_" : "struct_") +
             std::string(t->record->tag->text);
    case type_kind::enumeration:
      if (!t->enumeration->tag) return pointee_words({t->enumeration->underlying, 0});
      return "enum_" + std::string(t->enumeration->tag->text);
    case type_kind::array: {
      const std::string element = pointee_words(t->target);
      if (element.empty() || t->bound != bound_kind::constant) return {};
      return "array_" + std::to_string(t->count) + "_of_" + element;
    }
    default:
      break;
  }
  std::string words(basic_words(t->kind));
  for (char& c : words)
    if (c == ' ') c = '_';
  return words;
}

// Of void and functions, what gcc takes.
std::string emission::size_of_type(qualified_type t) {
  if (t->kind == type_kind::void_ || t->kind == type_kind::function) return "1";
  if (t->kind == type_kind::spread_array)
    return "(" + blocks(t.of) + " * " + size_of_type(t->target) + ")";
  return "sizeof(" + type_name({t.of, 0}) + ")";
}

// A type name that was written in an expression.
void emission::written(const written_type& w) {
  const bool can_stand = (!w.translate || w.in_definitions) && w.first != kNoToken;
  if (!can_stand) return defined_and_named(w);
  token_index at = w.first;
  for (const node* r : w.records) {
    if (!r->translate) continue;
    const declaration_info& d = *r->declared;
    out_.tokens(at, d.brace_first);
    definition(r);
    at = d.brace_last;
  }
  out_.tokens(at, w.last);
}

// The name does not say what the records that it speaks of are.
void emission::defined_and_named(const written_type& w) {
  if (w.records.empty()) return out_.text(type_name(w.type));
  out_.text("__typeof__(*(");
  for (const node* r : w.records) {
    out_.text("(void)sizeof(");
    definition_apart(r);
    out_.text("), ");
  }
  out_.text("(__typeof__(" + type_name(w.type) + ") *)0))");
}

}  // namespace splitcc
