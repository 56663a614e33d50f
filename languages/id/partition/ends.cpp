// SPDX-License-Identifier: Apache-2.0
// The end of an activation: its frame is freed when nothing of it is to come any more. What leads
// to nothing else gives an entry to the last thread; within a side of a choice, to one that stands
// for the side.
#include <algorithm>

#include "languages/id/partition/partitioner.hpp"

namespace idc::partition {

using graph::operation;

// What a choice gives is an entry for all that waits for its value.
void partitioner::fork_merges() {
  for (const input& in : plan_->inputs) {
    if (in.is != input::kind::choice) continue;
    for (const graph::node* m = in.from->merge; m; m = m->merge)
      for (thread* t : in.posts) thread_of(*m)->forks.push_back(t);
  }
}

// A side of it has something that nothing else waits for.
bool partitioner::needs_end(const graph::node& choice) {
  const needs_end_is known = needs_end_[choice.number];
  if (known != needs_end_is::not_known) return known == needs_end_is::yes;
  const bool needs = !ends_of(*choice.yes).empty() || !ends_of(*choice.no).empty();
  needs_end_[choice.number] = needs ? needs_end_is::yes : needs_end_is::no;
  return needs;
}

partitioner::end_list partitioner::ends_of(const graph::region& r) {
  end_list ends;
  for (thread* t = in_region_[r.number].first; t; t = t->next_in_region)
    if (!leads_on(*t)) ends.push_back({t});
  for (std::uint32_t i = inputs_in_[r.number]; i != 0; i = next_input_[i])
    if (plan_->inputs[i].posts.empty()) ends.push_back({nullptr, i});
  if (has_choice_[r.number])
    for (const graph::node* n : r.nodes)
      if (n->op == operation::choice && n != test_ && needs_end(*n))
        ends.push_back({nullptr, ~std::size_t{0}, n});
  if (!r.of) return ends;
  const bool is_yes = &r == r.of->yes;
  thread_list askers;  // besides the one that enters the sides
  for (thread* t = in_region_[r.of->in->number].first; t; t = t->next_in_region)
    if (t != thread_of(*r.of) && switch_of(*t, *r.of)) askers.push_back(t);
  if (askers.empty()) askers.push_back(thread_of(*r.of));
  for (thread* t : askers) {
    const switching* s = switch_of(*t, *r.of);
    if (!s || (is_yes ? s->yes : s->no).empty()) ends.push_back({t, ~std::size_t{0}, r.of, is_yes});
  }
  return ends;
}

const switching* partitioner::switch_of(const thread& t, const graph::node& choice) {
  for (const switching& s : t.switches)
    if (s.choice == &choice) return &s;
  return nullptr;
}

// Each end of the region gives `to` an entry, and all together at least one.
void partitioner::finish(const graph::region& r, thread& to) {
  end_list ends = ends_of(r);
  if (ends.empty())
    for (const graph::node* n : r.nodes)
      if (n->op == operation::merge && ends.empty()) ends.push_back({thread_of(*n)});
  thread* joined = &to;
  if (ends.size() != 1) {
    joined = &add_thread(r);
    joined->count = static_cast<std::uint32_t>(ends.size());
    joined->forks.push_back(&to);
  }
  for (const end& e : ends) finish(e, *joined);
}

void partitioner::finish(const end& e, thread& to) {
  if (e.input != ~std::size_t{0}) {
    plan_->inputs[e.input].posts.push_back(&to);
  } else if (e.by && e.choice) {
    add_target(*e.by, *e.choice, e.is_yes, to);
  } else if (e.by) {
    e.by->forks.push_back(&to);
  } else {
    finish(*e.choice->yes, to);
    finish(*e.choice->no, to);
  }
}

// Of a loop, all ends of a round are before the test; the last round's end is that of the loop,
// and so is the call of the next ones, if they have another activation.
void partitioner::free_at_end() {
  needs_end_.assign(f_->nodes.size(), needs_end_is::not_known);
  inputs_in_.assign(f_->regions.size(), 0);
  next_input_.assign(plan_->inputs.size(), 0);
  for (auto i = static_cast<std::uint32_t>(plan_->inputs.size() - 1); i != 0; --i) {
    if (plan_->inputs[i].is == input::kind::choice) continue;
    next_input_[i] = std::exchange(inputs_in_[plan_->inputs[i].in->number], i);
  }
  const auto last = [&]() -> thread& {
    thread& made = add_thread(*f_->body);
    made.frees = true;
    return made;
  };
  end_list ends = ends_of(*f_->body);
  if (plan_->is_loop || is_first_) {
    thread& test = *thread_of(*test_);
    test.count += static_cast<std::uint32_t>(ends.size());
    for (const end& e : ends) finish(e, test);
    thread& freed = last();
    freed.count = 1;
    finish(*test_->no, freed);
    if (is_first_) finish(*test_->yes, freed);
    return free_in_place(freed);
  }
  if (ends.size() == 1 && ends[0].by && !ends[0].choice) {
    ends[0].by->frees = true;
    return;
  }
  thread& freed = last();
  if (ends.empty()) ends.push_back({nullptr, kArguments});
  freed.count = static_cast<std::uint32_t>(ends.size());
  for (const end& e : ends) finish(e, freed);
  free_in_place(freed);
}

// A thread that does nothing behind the entry that it gives to the last one is the last one itself.
void partitioner::free_in_place(thread& freed) {
  if (freed.count != 1) return;
  const auto has = [&](const thread_list& list) {
    return std::find(list.begin(), list.end(), &freed) != list.end();
  };
  bool is_left = std::any_of(plan_->inputs.begin(), plan_->inputs.end(),
                             [&](const input& in) { return has(in.posts); });
  for (thread& t : plan_->threads) {
    for (const switching& s : t.switches) is_left = is_left || has(s.yes) || has(s.no);
    if (!has(t.forks)) continue;
    std::erase(t.forks, &freed);
    t.frees = !leads_on(t);
    if (t.frees) continue;
    t.forks.push_back(&freed);
    is_left = true;
  }
  if (!is_left) freed.count = 0;
}

}  // namespace idc::partition
