// SPDX-License-Identifier: Apache-2.0
// Instructions of TL0 that are neither forks nor switches, in those of the target.
#include "papers/study/machine/lower.hpp"

namespace study {

using tl0::opcode;
using tl0::operand;

void lowering::lower_instruction(body_code& code, index at) {
  const tl0::instruction& it = p_.instructions[at];
  switch (it.op) {
    case opcode::send:
      return add_message(code, it.target == kNone ? it.a : operand{}, it.target, it);
    case opcode::falloc:
    case opcode::falloc_at:
    case opcode::spawn:
    case opcode::ffree:
      return lower_activation(code, it, at);
    case opcode::length:
    case opcode::ialloc:
    case opcode::malloc:
    case opcode::ifetch:
    case opcode::mtake:
    case opcode::istore:
    case opcode::mput:
      return lower_structure(code, it);
    case opcode::print:
    case opcode::write:
      for (index k = 0; k < it.argument_count; ++k)
        code.add_with(p_.arguments[it.first_argument + k]);
      return;
    case opcode::require:  // a branch to what is said
      code.load(it.a);
      return code.add(1);
    case opcode::fail:
      return code.add(1);
    default:
      return tl0::is_operation(it.op) ? lower_operation(code, it) : lower_value(code, it);
  }
}

void lowering::lower_operation(body_code& code, const tl0::instruction& it) {
  cost routine{};
  code.load(it.a);
  if (routine_of(it.op, routine)) {
    if (!it.b.is_none()) code.load(it.b);
    code.forget_registers();
    code.add_call(routine);
  } else if (it.b.is_none()) {
    code.add(instructions_of(it.op));
  } else {
    code.add_with(it.b);
    code.add(instructions_of(it.op) - 1);
  }
  code.define(it.to);
}

void lowering::lower_value(body_code& code, const tl0::instruction& it) {
  switch (it.op) {
    case opcode::own_frame:
      code.add(1);
      break;
    case opcode::own_inlet:  // address and frame
      code.add(2);
      break;
    case opcode::rank:
    case opcode::rank_count:
      code.add_access(event::kind::read, place::globals, region::globals,
                      it.op == opcode::rank ? kRank : kRanks);
      break;
    case opcode::choose:  // move, branch, move
      code.load(it.a);
      code.add_with(it.b);
      code.add(1);
      code.add_with(p_.arguments[it.first_argument]);
      break;
    default:
      if (it.to.is_slot() || it.a.where() == tl0::space::constant)
        code.load(it.a);
      else
        code.add_with(it.a);
  }
  code.define(it.to);
}

// Two words an instruction: one in a register, the other as it is.
void lowering::add_words(body_code& code, const std::vector<operand>& words) {
  for (std::size_t k = 0; k < words.size(); k += 2) {
    if (k + 1 < words.size()) code.load(words[k]);
    code.add_with(words[std::min(k + 1, words.size() - 1)]);
  }
}

// The inlet and the frame, then the arguments. A name of an inlet is taken apart.
void lowering::add_message(body_code& code, operand to_name, index own_inlet,
                           const tl0::instruction& it) {
  std::vector<operand> words;
  for (index k = 0; k < it.argument_count; ++k)
    words.push_back(p_.arguments[it.first_argument + k]);
  if (own_inlet == kNone) {
    code.load(to_name);
    code.add(cost::split_name);
  } else {
    code.add(1);  // the inlet's address
  }
  code.add(cost::open_message);
  if (own_inlet != kNone && !it.a.is_none() && it.op == opcode::send)
    code.add_with(it.a);
  else
    code.add(1);
  add_words(code, words);
}

// handler, address, then where the answer goes, or what is stored
void lowering::lower_structure(body_code& code, const tl0::instruction& it) {
  if (it.op == opcode::ialloc || it.op == opcode::malloc) {
    code.load(it.a);
    code.forget_registers();
    code.add(1);  // CALL; what it costs depends on the size
    code.define(it.to);
    return;
  }
  code.load(it.a);
  if (!it.b.is_none()) code.add_with(it.b);  // the element's address
  code.add(1);                               // the handler's
  code.add(cost::open_message);
  code.add(1);  // both
  if (it.op == opcode::istore || it.op == opcode::mput)
    return code.add_with(p_.arguments[it.first_argument]);
  if (it.target != kNone) {
    code.add(1);  // the inlet's address
  } else {
    code.load(p_.arguments[it.first_argument]);
    code.add(cost::split_name);
  }
  code.add(1);  // it and the frame
}

void lowering::lower_activation(body_code& code, const tl0::instruction& it, index at) {
  if (it.op != opcode::ffree && it.target == kNone) code.load(it.a);
  code.forget_registers();
  code.add(2);  // the descriptor; CALL
  if (it.op == opcode::falloc) {
    out_.instructions[at].main = code.piece_here();
    code.define(it.to);
    out_.instructions[at].stores = code.piece_here();
  } else if (it.op == opcode::spawn) {
    code.add(2);  // the first inlet's address; node
    code.add(1);
    std::vector<operand> words;
    for (index k = 0; k < it.argument_count; ++k)
      words.push_back(p_.arguments[it.first_argument + k]);
    add_words(code, words);
  } else if (it.op == opcode::falloc_at) {
    code.add(1);
    if (it.other == kNone) {
      code.load(p_.arguments[it.first_argument]);
      code.add(cost::split_name);
    }
    code.add(3);  // node, address and frame, the name
  }
}

}  // namespace study
