// SPDX-License-Identifier: Apache-2.0
// Variants of functions, from main on.
#include "idc/partition/partition.hpp"

#include "idc/partition/partitioner.hpp"

namespace idc::partition {

planner::planner(const graph::program& p)
    : by_function_(p.functions.size()),
      partitioner_(new partitioner([this](const variant& v) { return find(v); })),
      main_(*find({p.main, std::vector<bool>(p.main->parameters.size(), true), false})) {
  for (const graph::function& f : p.functions)
    if (f.is_code) find({&f, {true, true}, true});
}

planner::~planner() = default;

const variant* planner::find(const variant& wanted) {
  std::vector<const variant*>& known = by_function_[wanted.of->number];
  for (const variant* v : known)
    if (v->by_value == wanted.by_value && v->wants_result == wanted.wants_result) return v;
  variant& added = found_.emplace_back(wanted);
  added.number = static_cast<std::uint32_t>(found_.size() - 1);
  known.push_back(&added);
  return &added;
}

bool planner::next(plan& made) {
  if (made_ == found_.size()) return false;
  const variant& of = found_[made_++];
  const auto make = [&](bool as_loop) {
    made.clear();
    made.of = &of;
    return partitioner_->run(made, as_loop);
  };
  const bool is_chained = of.of->permits != graph::kNoValue;
  if (!of.of->rounds_of || is_chained || !make(true)) make(false);
  find_slots(made);
  for (; told_ < found_.size(); ++told_) made.found.push_back(&found_[told_]);
  return true;
}

}  // namespace idc::partition
