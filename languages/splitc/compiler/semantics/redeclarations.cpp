// SPDX-License-Identifier: Apache-2.0
// A name that is declared again: whether both declarations can stand, and what they make together.
// (C17 6.2.2, 6.2.7, 6.7, 6.9.2.)
#include <algorithm>

#include "languages/splitc/compiler/semantics/redeclarations.hpp"

namespace splitcc {

void redeclaration_rules::note_earlier(const entity& earlier, std::string_view word) {
  const bool named_by_call = earlier.is_implicit;
  std::string text = named_by_call ? "previous implicit declaration of "
                                   : "previous " + std::string(word) + " of ";
  text += quoted(earlier.name);
  if (earlier.kind != entity_kind::enumerator || word == "declaration")
    text += " with type " + quoted(earlier.type);
  report_.note(earlier.at, text);
}

void redeclaration_rules::report_redefinition(const entity& e) {
  report_.error(e.at, "redefinition of " + quoted(e.name));
  if (e.defined_at != kNoToken)
    report_.note(e.defined_at,
                 "previous definition of " + quoted(e.name) + " with type " + quoted(e.type));
}

bool redeclaration_rules::kinds_agree(const entity& earlier, const declaration_request& wanted,
                                      entity_kind kind) {
  if (earlier.kind == kind) return true;
  report_.error(wanted.at, quoted(wanted.name) + " redeclared as different kind of symbol");
  note_earlier(earlier);
  return false;
}

// Of functions that are not static. gnu89: a definition does, and so does `inline` without
// `extern`. C99: each declaration does but `inline` without `extern`.
bool redeclaration_rules::asks_for_symbol(const declaration_request& wanted) const {
  const bool says_extern = wanted.has_storage_class && wanted.where == storage::extern_;
  if (!options_.gnu89_inline) return !wanted.is_inline || says_extern;
  return wanted.is_inline ? !says_extern : wanted.is_definition;
}

bool redeclaration_rules::linkages_agree(const entity& earlier, const declaration_request& wanted,
                                         linkage link) {
  if (earlier.kind == entity_kind::typedef_name) return true;
  const std::string name = quoted(wanted.name);
  if (earlier.link == linkage::none || link == linkage::none) {
    report_.error(wanted.at,
                  link == earlier.link ? "redeclaration of " + name + " with no linkage"
                  : link == linkage::none
                      ? "declaration of " + name + " with no linkage follows extern declaration"
                      : "extern declaration of " + name + " follows declaration with no linkage");
    note_earlier(earlier);
    return false;
  }
  if (earlier.link == link) return true;
  if (is_for_inlining_alone(earlier)) return true;  // gives way to any other, as in gcc
  if (earlier.is_implicit) {
    report_.warning(wanted.at, "implicit-function-declaration",
                    "static declaration of " + name + " follows an implicit declaration");
    note_earlier(earlier);
    return true;
  }
  report_.error(wanted.at,
                link == linkage::internal
                    ? "static declaration of " + name + " follows non-static declaration"
                    : "non-static declaration of " + name + " follows static declaration");
  note_earlier(earlier);
  return false;
}

bool redeclaration_rules::types_agree(const entity& earlier, const declaration_request& wanted) {
  const bool same = wanted.type->kind == type_kind::function
                        ? same_type(earlier.type.of, wanted.type.of)
                        : same_type(earlier.type, wanted.type);
  if (same || in_system_header(wanted.at)) return true;
  const std::string text =
      "conflicting types for " + quoted(wanted.name) + "; have " + quoted(wanted.type);
  if (earlier.is_implicit)
    report_.warning(wanted.at, "implicit-function-declaration", text);
  else
    report_.error(wanted.at, text);
  note_earlier(earlier);
  return earlier.is_implicit;
}

bool redeclaration_rules::agrees(const entity& earlier, const declaration_request& wanted,
                                 entity_kind kind, linkage link) {
  return kinds_agree(earlier, wanted, kind) && linkages_agree(earlier, wanted, link) &&
         types_agree(earlier, wanted);
}

bool redeclaration_rules::is_superfluous(const entity& e, qualified_type declared,
                                         token_index at) const {
  if (!options_.gnu89 || e.kind != entity_kind::function || e.is_library) return false;
  if (declared->kind != type_kind::function || !in_system_header(e.at) || in_system_header(at))
    return false;
  return !declared->prototyped || !same_type(e.type.of, declared.of);
}

void redeclaration_rules::keep_header(const entity& header, const declaration_request& wanted) {
  if (same_type(header.type.of, wanted.type.of)) return;
  report_.warning(wanted.at, "",
                  "conflicting types for " + quoted(wanted.name) + "; have " + quoted(wanted.type) +
                      ", and the header's declaration stands");
  note_earlier(header);
}

void redeclaration_rules::merge(entity& earlier, const declaration_request& wanted) {
  const bool same = same_type(earlier.type.of, wanted.type.of);
  if (same)
    earlier.type.of = composite(types_, earlier.type.of, wanted.type.of);
  else
    earlier.type = wanted.type;
  if (earlier.is_implicit && !in_system_header(wanted.at)) {
    const bool becomes_static = wanted.has_storage_class && wanted.where == storage::static_;
    if (becomes_static) earlier.link = linkage::internal;
    earlier.is_implicit = false;
    earlier.called_too_early = becomes_static || !same;
  }
  const bool is_static = wanted.has_storage_class && wanted.where == storage::static_;
  if (wanted.is_definition && is_static) earlier.link = linkage::internal;
  const bool says_extern = wanted.has_storage_class && wanted.where == storage::extern_;
  if (earlier.kind == entity_kind::function)
    earlier.where = wanted.has_storage_class ? wanted.where : storage::automatic;
  else if (earlier.where == storage::extern_ && !says_extern)
    earlier.where = wanted.has_storage_class ? wanted.where : storage::static_;
  earlier.is_inline |= wanted.is_inline;
  earlier.has_symbol |= asks_for_symbol(wanted);
  earlier.is_weak |= wanted.is_weak;
  earlier.alignment_asked = std::max(earlier.alignment_asked, wanted.alignment_asked);
  earlier.at = wanted.at;
}

}  // namespace splitcc
