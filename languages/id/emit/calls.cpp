// SPDX-License-Identifier: Apache-2.0
// Calls: what is at hand goes with the first message, what is not follows by itself.
#include "languages/id/emit/emitter.hpp"

namespace idc::emit {

using tl0::opcode;

index emitter::answer_inlet(const graph::node& n) const {
  const std::uint32_t input = plan_->answers[n.number];
  return input == partition::kNone ? tl0::kNone : now_.inputs[input];
}

// Where a result goes: to an inlet of this activation, or to where this one's result goes.
operand emitter::answer(kind is, index inlet) {
  if (inlet != tl0::kNone) {
    const operand to = temporary(inlet_of(is));
    add({.op = opcode::own_inlet, .to = to, .target = inlet});
    return to;
  }
  const operand own = slot(now_.result);
  if (plan_->of->of->result == is) return own;
  return retype(retype(own, type_of(kind::word)), inlet_of(is));
}

void emitter::call(const graph::node& n) {
  const partition::variant& callee = *plan_->callees[n.number];
  const signature& to = signature_of(callee);
  const graph::function& f = *callee.of;
  std::vector<operands>& messages = messages_;
  messages.resize(to.messages.size());
  for (operands& each : messages) each.clear();
  if (callee.wants_result) messages[0].push_back(answer(f.result, answer_inlet(n)));
  std::size_t message = 0, in_message = 0;
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    if (!callee.by_value.contains(i)) continue;
    if (in_message == to.messages[message]) {
      ++message;
      in_message = 0;
    }
    ++in_message;
    messages[message].push_back(read(n.operands[i], f.values[f.parameters[i]].is));
  }
  const index frame = slot_of(now_.frames, n);
  if (messages.size() == 1 && frame == tl0::kNone) {
    const bool is_placed = n.is_placed && callee.by_value.contains(n.operands.size() - 1);
    tl0::instruction made{.op = opcode::spawn,
                          .argument_count = static_cast<std::uint16_t>(messages[0].size()),
                          .first_argument = arguments(messages[0]),
                          .target = block_of(callee)};
    if (n.is_shared) made.place = tl0::placement::least_loaded;
    if (n.is_spread) made.place = tl0::placement::round_robin_in_turn;
    if (is_placed) {
      made.place = tl0::placement::at_in_turn;
      made.b = read(n.operands.back(), kind::integer);
    }
    add(made);
    return;
  }
  const index type = frame_of(callee);
  const operand made = frame == tl0::kNone ? temporary(type) : slot(frame);
  add({.op = opcode::falloc, .to = made, .target = block_of(callee)});
  for (std::size_t i = 0; i < messages.size(); ++i)
    send(made, to, static_cast<index>(i), messages[i]);
}

// To an inlet of another block, by its place in the block's signature.
void emitter::send(operand frame, const signature& to, index inlet, const operands& list) {
  far_targets_.push_back({static_cast<index>(p_.instructions.size()), block_of(*to.of), inlet});
  add({.op = opcode::send,
       .argument_count = static_cast<std::uint16_t>(list.size()),
       .first_argument = arguments(list),
       .a = frame});
}

void emitter::pass(const graph::node& n, std::size_t which) {
  const partition::variant& callee = *plan_->callees[n.number];
  const graph::function& f = *callee.of;
  const operand given = read(n.operands[which], f.values[f.parameters[which]].is);
  const signature& to = signature_of(callee);
  auto inlet = static_cast<index>(to.messages.size());
  for (std::size_t i = 0; i < which; ++i)
    if (!callee.by_value.contains(i)) ++inlet;
  send(slot(now_.frames[n.number]), to, inlet, {given});
}

void emitter::apply_code(const graph::node& n) {
  const operand closure = read(n.operands[0], kind::structure);
  add({.op = opcode::ifetch,
       .a = closure,
       .b = integer(plan_->by_cell[n.number] ? 1 : 0),
       .target = now_.inputs[plan_->codes[n.number]]});
}

void emitter::apply_call(const graph::node& n) {
  const bool by_cell = plan_->by_cell[n.number];
  operand argument;
  if (by_cell) {
    const operand cell = slot(now_.cells[n.number]);
    add({.op = opcode::ialloc, .to = cell, .a = integer(1)});
    argument = as(cell, kind::structure, kind::word);
  } else {
    argument = read(n.operands[1], kind::word);
  }
  const operand to = answer(kind::word, answer_inlet(n));
  const operand closure = read(n.operands[0], kind::word);
  const operand code = retype(slot(now_.codes[n.number]), code_type());
  add({.op = opcode::spawn,
       .argument_count = 3,
       .first_argument = arguments({to, closure, argument}),
       .a = code});
}

void emitter::apply_pass(const graph::node& n) {
  const operand argument = read(n.operands[1], kind::word);
  add({.op = opcode::istore,
       .argument_count = 1,
       .first_argument = arguments({argument}),
       .a = slot(now_.cells[n.number]),
       .b = integer(0)});
}

}  // namespace idc::emit
