// SPDX-License-Identifier: Apache-2.0
// Variants of functions, from main on.
#include "languages/id/partition/partition.hpp"

#include "languages/id/partition/partitioner.hpp"

namespace idc::partition {

variant_table::variant_table(const graph::program& p) : by_function_(p.functions.size()) {
  const auto add = [this](const graph::function& f, bool wants_result) {
    variant made;
    made.of = &f;
    made.by_value.add_below(f.parameters.size());
    made.wants_result = wants_result;
    number(*find(made));
  };
  add(*p.main, false);
  for (const graph::function& f : p.functions)
    if (f.is_code) add(f, true);
}

variant* variant_table::find(const variant& wanted) {
  std::vector<variant*>& known = by_function_[wanted.of->number];
  for (variant* v : known)
    if (v->by_value == wanted.by_value && v->wants_result == wanted.wants_result) return v;
  variant& added = variants_.emplace_back(wanted);
  known.push_back(&added);
  return &added;
}

void variant_table::number(variant& found) {
  found.number = static_cast<std::uint32_t>(in_order_.size());
  in_order_.push_back(&found);
}

void variant_table::number_calls(plan& next) {
  if (next.of->number == 0) next.found = in_order_;
  for (variant* v : next.calls) {
    if (v->number != kNone) continue;
    number(*v);
    next.found.push_back(v);
  }
}

plan_maker::plan_maker(variant_table& all)
    : partitioner_(new partitioner([&all](const variant& wanted) { return all.find(wanted); })) {}

plan_maker::~plan_maker() = default;

plan plan_maker::make(const variant& of) {
  const bool is_chained = of.of->permits != graph::kNoValue;
  if (of.of->rounds_of && !is_chained) {
    plan loop;
    loop.of = &of;
    if (partitioner_->run(loop, true)) return loop;
  }
  plan made;
  made.of = &of;
  partitioner_->run(made, false);
  return made;
}

bool planner::next(plan& made) {
  if (made_ == all_.in_order().size()) return false;
  made = maker_.make(*all_.in_order()[made_++]);
  all_.number_calls(made);
  return true;
}

}  // namespace idc::partition
