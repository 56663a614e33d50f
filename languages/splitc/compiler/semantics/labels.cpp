// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/semantics/labels.hpp"

namespace splitcc {

label_target* label_table::label(identifier* name, token_index at, bool defines) {
  label_target* found = nullptr;
  for (auto l = block_labels_.rbegin(); l != block_labels_.rend() && !found; ++l)
    if (l->target->name == name) found = l->target;
  if (!found) {
    label_target*& known = labels_by_name_[name];
    if (!known) {
      known = memory_.make<label_target>(label_target{name, at});
      labels_.push_back(known);
    }
    found = known;
  }
  if (defines && found->is_defined) {
    report_.error(at, "duplicate label " + quoted(name));
    report_.note(found->at, "previous definition of " + quoted(name));
  }
  if (defines) {
    found->is_defined = true;
    found->at = at;
  } else {
    found->is_used = true;
  }
  return found;
}

void label_table::check(const label_target& l) {
  if (!l.is_defined) report_.error(l.at, "label " + quoted(l.name) + " used but not defined");
}

void label_table::forget() {
  labels_.clear();
  labels_by_name_.clear();
  block_labels_.clear();
}

void label_table::declare_local(identifier* name, token_index at, std::uint32_t depth) {
  label_target* made = memory_.make<label_target>(label_target{name, at});
  block_labels_.push_back({made, depth});
}

void label_table::leave_block(std::uint32_t depth) {
  while (!block_labels_.empty() && block_labels_.back().depth == depth) {
    check(*block_labels_.back().target);
    block_labels_.pop_back();
  }
}

void label_table::leave_function() {
  for (const label_target* l : labels_) check(*l);
  forget();
}

}  // namespace splitcc
