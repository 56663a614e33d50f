// SPDX-License-Identifier: Apache-2.0
// Jumps past declarations whose objects the running program sizes: spread arrays of blocks, and
// arrays of variable length. (C17 6.8.4.2, 6.8.6.1.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

void parser::note_sized(const entity& e) {
  const bool lasts = e.where == storage::static_ || e.where == storage::extern_;
  if (meaning_.scopes.depth() == 0 || !is_variably_modified(e.type.of) ||
      (lasts && e.type->kind == type_kind::spread_array))
    return;
  sized_declarations_.push_back({e.at, sized_});
  sized_ = static_cast<int>(sized_declarations_.size()) - 1;
}

void parser::note_jump(const label_target* to, bool defines) {
  jump_ends_.push_back({to, at_, sized_, defines});
}

// Whether the declaration `outer` is in scope where `inner` is the innermost one.
bool parser::is_within(int inner, int outer) const {
  while (inner > outer) inner = sized_declarations_[static_cast<std::size_t>(inner)].outer;
  return inner == outer;
}

void parser::check_case_jump() {
  if (is_within(switch_sized_, sized_)) return;
  if (error(at_, "switch jumps into scope of identifier with variably modified type"))
    report_.note(sized_declarations_[static_cast<std::size_t>(sized_)].at, "declared here");
  switch_sized_ = sized_;  // once is enough
}

// At the end of a function.
void parser::check_jumps() {
  for (const jump_end& label : jump_ends_) {
    if (!label.defines || label.sized < 0) continue;
    for (const jump_end& jump : jump_ends_) {
      if (jump.defines || jump.label != label.label || is_within(jump.sized, label.sized)) continue;
      if (!error(jump.at, "jump into scope of identifier with variably modified type")) continue;
      report_.note(label.at, "label '" + std::string(label.label->name->text) + "' defined here");
      report_.note(sized_declarations_[static_cast<std::size_t>(label.sized)].at, "declared here");
    }
  }
  sized_declarations_.clear();
  jump_ends_.clear();
}

}  // namespace splitcc
