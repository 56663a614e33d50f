// SPDX-License-Identifier: Apache-2.0
// The end of an activation: its frame is freed when nothing of it is to come any more. What leads
// to nothing else gives an entry to the last thread; within a side of a choice, to one that stands
// for the side.
#include <algorithm>

#include "idc/partition/partitioner.hpp"

namespace idc::partition {

using graph::operation;

namespace {

bool is_choice(const step& s) { return s.is == step::kind::node && s.of->op == operation::choice; }

}  // namespace

// What a choice gives is an entry for all that waits for its value.
void partitioner::fork_merges() {
  for (const input& in : plan_.inputs) {
    if (in.is != input::kind::choice) continue;
    for (const graph::node* m : f_.values[in.to].merges)
      for (thread* t : in.posts) threads_of_[m->number]->forks.push_back(t);
  }
}

// Whether something comes after the thread.
bool partitioner::leads_on(const thread& t) const {
  if (!t.forks.empty() || !t.switches.empty()) return true;
  for (const step& s : t.steps) {
    if (s.is == step::kind::again || s.is == step::kind::apply_code || is_choice(s)) return true;
    if (s.is != step::kind::node && s.is != step::kind::apply_call) continue;
    const std::uint32_t answer = answer_of(*s.of);
    if (answer != kNone && s.of->op != operation::choice) return true;
  }
  return false;
}

// A side of it has something that nothing else waits for.
bool partitioner::needs_end(const graph::node& choice) {
  const auto known = needs_end_.find(&choice);
  if (known != needs_end_.end()) return known->second;
  const bool needs = !ends_of(*choice.yes).empty() || !ends_of(*choice.no).empty();
  return needs_end_[&choice] = needs;
}

std::vector<partitioner::end> partitioner::ends_of(const graph::region& r) {
  std::vector<end> ends;
  for (thread& t : plan_.threads)
    if (t.in == &r && !leads_on(t)) ends.push_back({&t});
  for (std::size_t i = 1; i < plan_.inputs.size(); ++i)
    if (plan_.inputs[i].in == &r && plan_.inputs[i].posts.empty() &&
        plan_.inputs[i].is != input::kind::choice)
      ends.push_back({nullptr, i});
  for (const graph::node* n : r.nodes)
    if (n->op == operation::choice && n != test_ && needs_end(*n))
      ends.push_back({nullptr, ~std::size_t{0}, n});
  if (!r.of) return ends;
  const bool is_yes = &r == r.of->yes;
  std::vector<thread*> askers;  // besides the one that enters the sides
  for (thread& t : plan_.threads)
    if (t.in == r.of->in && &t != threads_of_[r.of->number] && switch_of(t, *r.of))
      askers.push_back(&t);
  if (askers.empty()) askers.push_back(threads_of_[r.of->number]);
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
  std::vector<end> ends = ends_of(r);
  if (ends.empty())
    for (const graph::node* n : r.nodes)
      if (n->op == operation::merge && ends.empty()) ends.push_back({threads_of_[n->number]});
  thread* joined = &to;
  if (ends.size() != 1) {
    joined = &plan_.threads.emplace_back();
    joined->number = static_cast<std::uint32_t>(plan_.threads.size() - 1);
    joined->in = &r;
    joined->count = static_cast<std::uint32_t>(ends.size());
    joined->forks.push_back(&to);
  }
  for (const end& e : ends) finish(e, *joined);
}

void partitioner::finish(const end& e, thread& to) {
  if (e.input != ~std::size_t{0}) {
    plan_.inputs[e.input].posts.push_back(&to);
  } else if (e.by && e.choice) {
    add_target(*e.by, *e.choice, e.is_yes, to);
  } else if (e.by) {
    e.by->forks.push_back(&to);
  } else {
    finish(*e.choice->yes, to);
    finish(*e.choice->no, to);
  }
}

// Of a loop, all ends of a round are before the test; the last round's end is that of the loop.
void partitioner::free_at_end() {
  const auto last = [&]() -> thread& {
    thread& made = plan_.threads.emplace_back();
    made.number = static_cast<std::uint32_t>(plan_.threads.size() - 1);
    made.in = f_.body;
    made.frees = true;
    return made;
  };
  std::vector<end> ends = ends_of(*f_.body);
  if (plan_.is_loop) {
    thread& test = *threads_of_[test_->number];
    test.count += static_cast<std::uint32_t>(ends.size());
    for (const end& e : ends) finish(e, test);
    thread& freed = last();
    freed.count = 1;
    finish(*test_->no, freed);
    return free_in_place(freed);
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
    return list.contains(&freed);
  };
  bool is_left = std::any_of(plan_.inputs.begin(), plan_.inputs.end(),
                             [&](const input& in) { return has(in.posts); });
  for (thread& t : plan_.threads) {
    for (const switching& s : t.switches) is_left = is_left || has(s.yes) || has(s.no);
    if (!has(t.forks)) continue;
    t.forks.erase(&freed);
    t.frees = !leads_on(t);
    if (t.frees) continue;
    t.forks.push_back(&freed);
    is_left = true;
  }
  if (!is_left) freed.count = 0;
}

}  // namespace idc::partition
