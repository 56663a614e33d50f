// SPDX-License-Identifier: Apache-2.0
// Who gives whom an entry. A thread gets one from each thread and input that makes what it needs,
// unless another one of these comes after that. What comes from outside of a side of a choice goes
// through a thread beside the choice, which asks for the same condition and gives an entry to that
// side alone.
#include <algorithm>

#include "languages/id/partition/partitioner.hpp"

namespace idc::partition {

using graph::operation;

void partitioner::find_sources(thread& t) {
  if (&t == plan_->head && plan_->joined) {
    t.sources.add(number_of(*plan_->joined));
    return;
  }
  if (t.in == f_->body) t.sources.add(kArguments);
  if (!plan_->is_loop || t.in != f_->body) return;
  const bool is_ahead = !round_.is_in(t.all);
  if (&t != plan_->head && &t != plan_->joined && !is_ahead) t.sources.add(number_of(*plan_->head));
  if (&t == plan_->joined)
    for (std::size_t i = 0; i < plan_->inputs.size(); ++i)
      if (plan_->inputs[i].from && plan_->inputs[i].in == f_->body &&
          plan_->inputs[i].from->op == operation::fetch && hoisted_[plan_->inputs[i].from->number])
        t.sources.add(i);
}

// All that has happened before the thread is executed, or the input comes.
const input_set& partitioner::find_before(std::size_t source) {
  const std::size_t inputs = plan_->inputs.size();
  if (source >= before_.size())
    before_.resize(std::max(source + 1, inputs + plan_->threads.size()));
  input_set found;
  const auto add = [&](std::size_t direct) {
    found.add(before(direct));
    found.add(direct);
  };
  if (source >= inputs) {
    const thread& t = thread_at(source);
    t.sources.each(add);
    if (t.in->of) add(number_of(*thread_of(*t.in->of)));
  } else if (const input& in = plan_->inputs[source]; in.from) {
    add(number_of(in.is == input::kind::code ? *find_thread(*in.in, set_of(*in.from))
                                             : *thread_of(*in.from)));
  }
  before_row& row = before_[source];
  row.all = std::move(found);
  row.is_known = true;
  return row.all;
}

void partitioner::drop_implied(input_set& sources) {
  if (!sources.has_several()) return;
  input_set implied;
  sources.each([&](std::size_t s) { implied.add(before(s)); });
  sources.remove(implied);
}

void partitioner::resolve(thread& t) {
  const input_set& here = sources_in_[t.in->number];
  input_set inside = t.sources;
  inside.keep_in(here);
  drop_implied(inside);
  if (t.in->of) {
    const graph::node& choice = *t.in->of;
    const std::size_t chooser = number_of(*thread_of(choice));
    input_set unmet = t.sources;
    unmet.remove(here);
    unmet.remove(chooser);
    if (!unmet.empty()) unmet.remove(before(chooser));
    if (!unmet.empty() || inside.empty()) {
      thread& from = switch_to(choice, unmet);
      add_target(from, choice, t.in == choice.yes, t);
      ++t.count;
    }
  }
  enter(t, inside);
}

void partitioner::enter(thread& t, const input_set& sources) {
  const std::size_t inputs = plan_->inputs.size();
  sources.each([&](std::size_t s) {
    ++t.count;
    (s < inputs ? plan_->inputs[s].posts : thread_at(s).forks).push_back(&t);
  });
}

// The thread around the choice that waits for these and knows the condition.
thread& partitioner::switch_to(const graph::node& choice, const input_set& sources) {
  thread& chooser = *thread_of(choice);
  input_set all = set_of(choice);
  sources.each([&](std::size_t s) {
    all.add(s < plan_->inputs.size() ? plan_->inputs[s].all : thread_at(s).all);
  });
  thread& from = thread_for(*choice.in, all);
  from.sources.add(sources);
  from.sources.remove(number_of(from));
  if (&from != &chooser) from.sources.add(number_of(chooser));
  if (from.sources.empty() && from.in == f_->body) from.sources.add(kArguments);
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
