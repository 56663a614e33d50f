// SPDX-License-Identifier: Apache-2.0
// A translation unit as a whole.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {

std::string emit(const node& unit, const token_list& tokens, type_table&,
                 const emit_options& options) {
  return emission(tokens, options).unit(unit);
}

std::string emission::unit(const node& unit) {
  for (const node* n : unit.children)
    if (n) survey(*n);
  for (const node* n : unit.children)
    if (n) look_for_early_calls(*n);
  find_copies(unit);
  for (const node* n : unit.children)
    if (n) external(n);
  out_.start_of_declaration();
  starts();
  tag_records();
  out_.put_in(0, head());
  return out_.finish();
}

// What has to be known of a function before its first declaration is written.
void emission::survey(const node& n) {
  if (n.kind != node_kind::function_definition && n.kind != node_kind::declaration) return;
  for (const declarator_info& d : n.declared->declarators) {
    const entity* e = d.declared;
    if (!e || e->kind != entity_kind::function || e->is_library) continue;
    survey_inline(n, d);
    if (!e->name_in_output.empty())
      main_ = declared(e->type->target, std::string(e->name->text) + "()") + " __asm__(\"" +
              e->name_in_output + "\");\n";
  }
}

void emission::external(const node* n) {
  out_.start_of_declaration();
  declare_copies(*n);
  if (n->kind == node_kind::declaration && n->translate) {
    out_.begin(n->first);
    return declaration(n);
  }
  if (n->kind == node_kind::declaration && !n->declared->declarators.empty() &&
      n->declared->declarators.front().declared->is_library)
    return;
  const bool is_function = n->kind == node_kind::function_definition;
  out_.begin(n->first);
  if (is_function) look_for_late_bounds(n);
  if (is_function && (!is_verbatim(n) || is_copied(n))) {
    function(n);
    late_.clear();
    late_lengths_.clear();
    return forced_.clear();
  }
  if (n->kind == node_kind::static_assert_ && n->translate) return;
  out_.tokens(n->first, n->last);
}

// Records without a tag that had to be named get their tags where they are defined.
void emission::tag_records() {
  for (const auto& [r, name] : record_names_) {
    const token_index word = r->at;
    if (word == kNoToken) continue;
    const token_index brace = writer::brace_of_record(tokens_, word);
    const std::size_t at = brace == kNoToken ? 0 : out_.brace_position(brace);
    if (at != 0) out_.put_in(at, " " + name + " ");
  }
}

// What stands before everything.
std::string emission::head() const {
  std::string text;
  for (const std::string& name : pointer_names_) text += "typedef unsigned long " + name + ";\n";
  return text + main_ + ahead_;
}

}  // namespace splitcc
