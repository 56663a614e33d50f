// SPDX-License-Identifier: Apache-2.0
// A loop in one activation: its next round begins in the frame of this one. That is right where the
// next round waits for all that this one does anyway, and so does the end.
//
// By a limit of one round a loop (in_turn) is like that whatever its rounds wait for: then the test
// waits for them. If something that it takes comes later than its call, the first round is an
// activation of its own, which calls the next ones when all is there.
//
// Threads ahead of the loop ask for the bounds of arrays that stay the same in all rounds; the head
// is the first thread of a round; the test is its last, which goes back to the head or on.
#include <algorithm>

#include "languages/id/partition/partitioner.hpp"

namespace idc::partition {

using graph::operation;

bool partitioner::find_loop() {
  if (!f_->rounds_of) return false;
  for (std::size_t i = 0; i < f_->parameters.size() && !is_first_; ++i)
    is_first_ = !plan_->of->by_value.contains(i);
  if (is_first_ && !f_->in_turn) return false;
  for (const graph::node& n : f_->nodes)
    if (n.op == operation::call && n.callee == f_) {
      if (plan_->self || !n.is_tail) return false;
      plan_->self = &n;
    }
  if (!plan_->self || !plan_->self->in->of || plan_->self->in->of->in != f_->body ||
      plan_->self->in != plan_->self->in->of->yes || plan_->self->in->nodes.size() != 1)
    return false;
  test_ = plan_->self->in->of;
  hoisted_.assign(f_->nodes.size(), false);
  plan_->is_first = is_first_;
  for (const graph::node& n : f_->nodes) {
    if (is_first_ || n.op != operation::fetch || n.immediate != 1 || n.in != f_->body) continue;
    const auto found = std::find(f_->parameters.begin(), f_->parameters.end(), n.operands[0]);
    if (found == f_->parameters.end()) continue;
    const auto which = static_cast<std::size_t>(found - f_->parameters.begin());
    hoisted_[n.number] = plan_->self->operands[which] == n.operands[0];
  }
  return true;
}

namespace {

bool is_effect(const graph::node& n) {
  return n.op == operation::give || n.op == operation::call || n.op == operation::apply ||
         n.op == operation::store || n.op == operation::put || n.op == operation::take ||
         graph::about(n.op).operands == "w" || n.op == operation::write_int ||
         n.op == operation::write_float || n.op == operation::write_bool;
}

bool is_long(const graph::node& n) {
  return n.op == operation::fetch || n.op == operation::take || n.op == operation::apply ||
         (n.op == operation::call && n.to != graph::kNoValue);
}

}  // namespace

// What a value would depend on if the test did not wait for all of the round.
const input_set& partitioner::without_round(graph::value v, const input_set& early) {
  const auto known = natural_.find(v);
  if (known != natural_.end()) return known->second;
  input_set all = all_of(v);
  const graph::node* from = f_->values[v].from;
  if (from && is_in_test(*from)) {
    all = early;
    for (const graph::value o : from->operands) all.add(without_round(o, early));
    if (answer_of(*from) != kNone) all.add(answer_of(*from));
  }
  return natural_[v] = all;
}

bool partitioner::is_in_test(const graph::node& n) const {
  for (const graph::region* r = n.in; r->of; r = r->of->in)
    if (r->of == test_) return true;
  return false;
}

// All that a round does, the next one and each thing that is seen of the end wait for anyway.
bool partitioner::check_loop() {
  if (f_->in_turn) return true;
  const input_set& all = set_of(*test_);
  for (std::size_t i = 0; i < f_->parameters.size(); ++i)
    if (!all_of(plan_->self->operands[i]).is_in(all)) return false;
  for (const graph::node& n : f_->nodes)  // a choice in the round is over when its value is there
    if (n.in != f_->body && !is_in_test(n) && is_long(n))
      for (const graph::node* other : n.in->nodes)
        if (is_effect(*other) || n.in->of->to == graph::kNoValue) return false;
  input_set early = control(*f_->body);
  early.add(all_of(test_->operands[0]));
  if (all.is_in(early)) return true;
  for (const graph::node& n : f_->nodes) {
    if (!is_in_test(n) || !is_effect(n)) continue;
    const bool gives = n.op == operation::give || n.is_tail;
    if (gives && !plan_->of->wants_result && &n != plan_->self) continue;
    input_set own = early;
    for (std::size_t i = 0; i < n.operands.size(); ++i)
      if (waits_for(n, i)) own.add(without_round(n.operands[i], early));
    for (const graph::region* r = n.in; r->of != test_; r = r->of->in)
      own.add(without_round(r->of->operands[0], early));
    if (!all.is_in(own)) return false;
  }
  return true;
}

// Ahead of all else, so that the rounds can depend on it.
void partitioner::begin_loop() {
  round_.add(kArguments);
  for (const graph::node* n : f_->order)
    if (hoisted_[n->number]) {
      find_set(*n);
      round_.add(plan_->inputs.back().all);
    }
  control_ = round_;
}

void partitioner::join_loop() {
  plan_->head = &thread_for(*f_->body, control(*f_->body));
  plan_->head->is_head = true;
  input_set ahead = control(*f_->body);
  if (ahead == plan_->inputs[kArguments].all) return;
  // A round gives the head one entry, so what is ahead of the loop is joined in a thread.
  plan_->joined = &add_thread(*f_->body);
  plan_->joined->all = ahead;
}

}  // namespace idc::partition
