// SPDX-License-Identifier: Apache-2.0
// Who gives whom an entry. A thread gets one from each thread and input that makes what it needs,
// unless another one of these comes after that. What comes from outside of a side of a choice goes
// through a thread beside the choice, which asks for the same condition and gives an entry to that
// side alone.
#include <algorithm>

#include "idc/partition/partitioner.hpp"

namespace idc::partition {

using graph::operation;
using graph::value_info;

void partitioner::add_source(thread& t, int source) {
  if (source == ~static_cast<int>(t.number)) return;
  if (!t.sources.contains(source)) t.sources.push_back(source);
}

void partitioner::source_of(thread& t, graph::value v) {
  const value_info& info = f_->values[v];
  if (info.by == value_info::made::parameter)
    return add_source(t, static_cast<int>(parameters_[parameter_numbers_[v]]));
  if (!info.from) return;
  const std::uint32_t answer = answer_of(*info.from);
  if (answer != kNone) return add_source(t, static_cast<int>(answer));
  add_source(t, ~static_cast<int>(threads_of_[info.from->number]->number));
}

void partitioner::find_sources(thread& t) {
  const bool is_ahead = plan_->is_loop && t.in == f_->body && !round_.is_in(t.all);
  if (&t == plan_->head && plan_->joined)
    return add_source(t, ~static_cast<int>(plan_->joined->number)), steps_sources(t);
  if (t.in == f_->body) add_source(t, kArguments);
  if (plan_->is_loop && t.in == f_->body && &t != plan_->head && &t != plan_->joined && !is_ahead)
    add_source(t, ~static_cast<int>(plan_->head->number));
  if (&t == plan_->joined)
    for (std::size_t i = 0; i < plan_->inputs.size(); ++i)
      if (plan_->inputs[i].from && plan_->is_loop && plan_->inputs[i].in == f_->body &&
          plan_->inputs[i].from->op == operation::fetch && hoisted_[plan_->inputs[i].from->number])
        add_source(t, static_cast<int>(i));
  steps_sources(t);
}

void partitioner::steps_sources(thread& t) {
  for (const step& s : t.steps) {
    const graph::node& n = *s.of;
    switch (s.is) {
      case step::kind::pass:
        source_of(t, n.operands[s.operand]);
        add_source(t, ~static_cast<int>(threads_of_[n.number]->number));
        break;
      case step::kind::apply_code:
        source_of(t, n.operands[0]);
        break;
      case step::kind::apply_pass:
        source_of(t, n.operands[1]);
        add_source(t, ~static_cast<int>(threads_of_[n.number]->number));
        break;
      case step::kind::apply_call:
        add_source(t, static_cast<int>(plan_->codes[n.number]));
        source_of(t, n.operands[0]);
        if (!plan_->by_cell[n.number]) source_of(t, n.operands[1]);
        break;
      default: {
        const variant* const callee = plan_->callees[n.number];
        std::size_t i = 0;
        for (const graph::value v : n.operands)
          if (!callee || callee->by_value.contains(i++)) source_of(t, v);
      }
    }
  }
}

const graph::region& partitioner::home_of(int source) const {
  return source >= 0 ? *plan_->inputs[static_cast<std::size_t>(source)].in
                     : *plan_->threads[static_cast<std::size_t>(~source)].in;
}

// All that has happened before the thread is executed, or the input comes.
const input_set& partitioner::find_before(int source) {
  const std::size_t number = number_of(source);
  if (number >= before_.size())
    before_.resize(std::max(number + 1, plan_->inputs.size() + plan_->threads.size()));
  input_set found;
  const auto add = [&](int direct) {
    found.add(before(direct));
    found.add(number_of(direct));
  };
  const auto thread_of = [&](const graph::node& n) {
    return ~static_cast<int>(threads_of_[n.number]->number);
  };
  if (source < 0) {
    const thread& t = plan_->threads[static_cast<std::size_t>(~source)];
    for (const int direct : t.sources) add(direct);
    if (t.in->of) add(thread_of(*t.in->of));
  } else if (const input& in = plan_->inputs[static_cast<std::size_t>(source)]; in.from) {
    add(in.is == input::kind::code
            ? ~static_cast<int>(find_thread(*in.in, sets_[in.from->number])->number)
            : thread_of(*in.from));
  }
  before_row& row = before_[number];
  row.all = std::move(found);
  row.is_known = true;
  return row.all;
}

bool partitioner::is_before(int first, int second) {
  return before(second).contains(number_of(first));
}

void partitioner::drop_implied(source_list& sources) {
  if (sources.size() < 2) return;
  input_set implied;
  for (const int s : sources) implied.add(before(s));
  const auto is_implied = [&](int s) { return implied.contains(number_of(s)); };
  if (std::none_of(sources.begin(), sources.end(), is_implied)) return;
  source_list kept;
  for (const int s : sources)
    if (!is_implied(s)) kept.push_back(s);
  sources = std::move(kept);
}

void partitioner::resolve(thread& t) {
  source_list inside, outside;
  for (const int s : t.sources) (&home_of(s) == t.in ? inside : outside).push_back(s);
  drop_implied(inside);
  if (!t.in->of) return enter(t, inside);
  const graph::node& choice = *t.in->of;
  const int chooser = ~static_cast<int>(threads_of_[choice.number]->number);
  source_list unmet;
  for (const int s : outside)
    if (s != chooser && !is_before(s, chooser)) unmet.push_back(s);
  if (!unmet.empty() || inside.empty()) {
    thread& from = switch_to(choice, unmet);
    add_target(from, choice, t.in == choice.yes, t);
    ++t.count;
  }
  enter(t, inside);
}

void partitioner::enter(thread& t, const source_list& sources) {
  for (const int s : sources) {
    ++t.count;
    if (s >= 0)
      plan_->inputs[static_cast<std::size_t>(s)].posts.push_back(&t);
    else
      plan_->threads[static_cast<std::size_t>(~s)].forks.push_back(&t);
  }
}

// The thread around the choice that waits for these and knows the condition.
thread& partitioner::switch_to(const graph::node& choice, const source_list& sources) {
  thread& chooser = *threads_of_[choice.number];
  input_set all = sets_[choice.number];
  for (const int s : sources)
    all.add(s >= 0 ? plan_->inputs[static_cast<std::size_t>(s)].all
                   : plan_->threads[static_cast<std::size_t>(~s)].all);
  thread& from = thread_for(*choice.in, all);
  for (const int s : sources) add_source(from, s);
  if (&from != &chooser) add_source(from, ~static_cast<int>(chooser.number));
  if (from.sources.empty() && from.in == f_->body) add_source(from, kArguments);
  return from;
}

void partitioner::add_target(thread& from, const graph::node& choice, bool is_yes, thread& to) {
  auto found = std::find_if(from.switches.begin(), from.switches.end(),
                            [&](const switching& s) { return s.choice == &choice; });
  if (found == from.switches.end()) {
    from.switches.push_back({&choice, {}, {}});
    found = from.switches.end() - 1;
  }
  thread_list& side = is_yes ? found->yes : found->no;
  side.push_back(&to);
  if (side.size() > 1) plan_->has_groups = true;
}

}  // namespace idc::partition
