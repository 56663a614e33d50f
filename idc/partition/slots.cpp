// SPDX-License-Identifier: Apache-2.0
#include "idc/partition/partition.hpp"

namespace idc::partition {

using graph::operation;
using graph::value;
using graph::value_info;

// Those that are made in one thread, or by a message, and read in another one.
void plan_maker::find_slots(plan& p) {
  const graph::function& f = *p.of->of;
  std::vector<std::uint32_t>& made = makers_;
  made.assign(f.values.size(), kNone);
  for (const thread& t : p.threads)
    for (const step& s : t.steps)
      if (s.is == step::kind::node && s.of->to != graph::kNoValue && s.of->op != operation::fetch &&
          s.of->op != operation::take && s.of->op != operation::call &&
          s.of->op != operation::choice)
        made[s.of->to] = t.number;
  std::vector<char>& found = p.in_slots;
  found.assign(f.values.size(), false);
  const auto read = [&](value v, const thread& t) { found[v] |= made[v] != t.number; };
  for (const thread& t : p.threads) {
    for (const step& s : t.steps)
      for (const value v : s.of->operands) read(v, t);
    for (const switching& s : t.switches) read(s.choice->operands[0], t);
  }
  for (value v = 0; v < f.values.size(); ++v)
    found[v] &= f.values[v].by != value_info::made::constant;
  for (const value v : f.parameters) found[v] = true;
  for (const value v : {f.permits, f.permit})
    if (v != graph::kNoValue) found[v] = true;
  for (const input& in : p.inputs)
    if (in.is == input::kind::choice && !in.posts.empty()) found[in.to] = true;
}

}  // namespace idc::partition
