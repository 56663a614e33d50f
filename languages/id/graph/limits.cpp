// SPDX-License-Identifier: Apache-2.0
// Loops of which a limited number of rounds is in flight: a round has a permit, an element that is
// empty meanwhile and is filled when the activation ends that has the round. They are taken in
// turn, so round i waits for the end of round i - limit.
//
// Where all rounds are in the loop's one activation, which calls another one for what the next
// round does not need, it takes the next round's permit before it goes on; the first round has its
// own from the start. Where each round is an activation, it takes its permit before all else; and
// if it calls another one, a permit for that, too: those of the loop stand behind the others.
//
// By a limit of one, most rounds are in the loop's one activation (in_turn), where each begins when
// all of the one before is over: there are no permits.
#include "languages/id/graph/builder.hpp"

namespace idc::graph {

using tl0::opcode;

// In the name of what the limit applies to, so that a deadlock tells what may be the reason.
std::string builder::said_limit(const kernel& k) const {
  if (!k.loop()->in_turn && !is_limited(k)) return "";
  return ".loop_bound_" + std::to_string(limit_.rounds);
}

void builder::add_permits(const kernel& k, value_list& arguments, position where) {
  const bool chained = is_chained(k);
  const int count = limit_.rounds * (chained && k.loop()->is_apart ? 2 : 1);
  const value permits = add(operation::allocate_m, {constant(count)}, where);
  for (int i = chained ? 0 : 1; i < count; ++i)
    add(operation::put, {permits, constant(i), constant(1)}, where, kNoValue);
  arguments.push_back(permits);
  arguments.push_back(constant(0));
}

// When the permits are taken, the round begins.
void builder::fill_chained(function& made, const core::function& f) {
  const kernel& k = kernel_of(f);
  const auto [permits, permit] = permit_of(made, k);
  value taken = kNoValue;
  made.permits = permits;
  made.permit = permit;
  if (k.loop()->is_apart) {
    taken = add(operation::take, {permits, permit}, made.where);
    made.permit = compute(opcode::add_int, {permit, constant(limit_.rounds)}, made.where);
  }
  const value own = add(operation::take, {permits, made.permit}, made.where);
  if (taken == kNoValue)
    taken = own;
  else
    taken = compute(opcode::multiply_int, {taken, own}, made.where);
  const value begins = compute(opcode::equal_int, {taken, constant(1)}, made.where);
  node& choice = begin_choice(begins, made.where, kNoValue);
  in(*choice.yes, [&] { fill_round(made, f); });
  in(*choice.no, [&] { give(add(operation::fail, {}, made.where)); });  // permits are 1
}

builder::permit_value builder::permit_of(const function& rounds, const kernel& k) const {
  if (!is_limited(k)) return {};
  const std::size_t at = without_condition(k, k.function().parameters).size();
  return {rounds.parameters[at], rounds.parameters[at + 1]};
}

value builder::next_permit(value permit, position where) {
  const value sum = compute(opcode::add_int, {permit, constant(1)}, where);
  return compute(opcode::remainder_int, {sum, constant(limit_.rounds)}, where);
}

// The condition, when the permit is taken.
value builder::and_taken(value condition, permit_value next, position where) {
  const value taken = add(operation::take, {next.permits, next.permit}, where);
  const value holds = compute(opcode::unequal_int, {condition, constant(0)}, where);
  const value is_taken = compute(opcode::equal_int, {taken, constant(1)}, where);
  return compute(opcode::and_bool, {holds, is_taken}, where);
}

}  // namespace idc::graph
