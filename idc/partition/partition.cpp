// SPDX-License-Identifier: Apache-2.0
// Variants of functions, from main on.
#include "idc/partition/partition.hpp"

#include "idc/partition/partitioner.hpp"

namespace idc::partition {

variant_table::variant_table(const graph::program& p) : by_function_(p.functions.size()) {
  const auto add = [this](const graph::function& f, bool wants_result) {
    variant made;
    made.of = &f;
    made.by_value.add_below(f.parameters.size());
    made.wants_result = wants_result;
    number(*find(made).first);
  };
  add(*p.main, false);
  for (const graph::function& f : p.functions)
    if (f.is_code) add(f, true);
}

std::pair<variant*, bool> variant_table::find(const variant& wanted) {
  shard& all = shards_[wanted.of->number % shards_.size()];
  const std::lock_guard lock(all.mutex);
  std::vector<variant*>& known = by_function_[wanted.of->number];
  for (variant* v : known)
    if (v->by_value == wanted.by_value && v->wants_result == wanted.wants_result) return {v, false};
  variant& added = all.variants.emplace_back(wanted);
  known.push_back(&added);
  return {&added, true};
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
    : partitioner_(new partitioner([this, &all](const variant& wanted) {
        const auto [found, is_new] = all.find(wanted);
        if (is_new) fresh_->push_back(found);
        return found;
      })) {}

plan_maker::~plan_maker() = default;

void plan_maker::make(const variant& of, plan& made, std::vector<variant*>& fresh) {
  fresh_ = &fresh;
  const auto make = [&](bool as_loop) {
    made.clear();
    made.of = &of;
    return partitioner_->run(made, as_loop);
  };
  const bool is_chained = of.of->permits != graph::kNoValue;
  if (!of.of->rounds_of || is_chained || !make(true)) make(false);
}

bool planner::next(plan& made) {
  if (made_ == all_.in_order().size()) return false;
  fresh_.clear();
  maker_.make(*all_.in_order()[made_++], made, fresh_);
  all_.number_calls(made);
  return true;
}

}  // namespace idc::partition
