// SPDX-License-Identifier: Apache-2.0
// `extern inline` of gnu89 defines a function for inlining alone: the unit has no symbol of it. A
// call that the C compiler does not inline needs a definition in another unit, and programs rely on
// none being needed. A translated function is longer than the original and is inlined less often.
// Each unit therefore gets a static copy. All declarations in front of it have to be static, too.
#include <algorithm>

#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {

// Counts the definitions of a function, and finds those for inlining alone.
void emission::survey_inline(const node& n, const declarator_info& d) {
  const bool is_extern = has_specifier(*n.declared, keyword::kw_extern);
  const bool is_inline = has_specifier(*n.declared, keyword::kw_inline);
  function_facts& facts = functions_[d.declared->name];
  if (n.kind == node_kind::function_definition) {
    ++facts.definitions;
    const bool is_system = tokens_.files[tokens_.tokens[n.first].file].is_system;
    if (options_.gnu89_inline && is_extern && is_inline && !is_system)
      facts.for_inlining = d.declared;
    return;
  }
  const bool is_static = has_specifier(*n.declared, keyword::kw_static);
  facts.is_changed |= is_inline && !is_extern && !is_static;
  facts.is_changed |= facts.definitions != 0 && d.suffix_first < d.last;  // alias and the like
}

bool emission::has_specifier(const declaration_info& d, keyword word) const {
  for (token_index i = d.specifiers_first; i < d.specifiers_last; ++i)
    if (is(tokens_.tokens[i], word)) return true;
  return false;
}

void emission::find_copies(const node& unit) {
  for (const node* n : unit.children) {
    if (!n || n->kind != node_kind::function_definition || !is_copied(n)) continue;
    const entity* e = n->declared->declarators.front().declared;
    if (e->first_at < n->first) copies_.push_back(e);
  }
}

bool emission::is_copied(const node* definition) const {
  const auto facts = functions_.find(definition->declared->declarators.front().declared->name);
  return facts != functions_.end() && facts->second.is_copied();
}

// C allows a declaration without `static` behind one with it, and not the reverse.
void emission::declare_copies(const node& external) {
  for (const entity* e : copies_)
    if (e->first_at >= external.first && e->first_at < external.last)
      out_.text("static " + plain_declaration(*e) + "; ");
}

void emission::specifiers_of_copy(const declaration_info& d) {
  out_.text(kWordsOfCopy);
  for (token_index i = d.specifiers_first; i < d.specifiers_last; ++i) {
    const token& t = tokens_.tokens[i];
    if (is(t, keyword::kw_extern) || is(t, keyword::kw_inline)) continue;
    out_.text(" ");
    out_.tokens(i, i + 1);
  }
}

}  // namespace splitcc
