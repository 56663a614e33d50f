// SPDX-License-Identifier: Apache-2.0
// Threads and their instructions.
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>

#include "languages/tam/tl0/run/values.hpp"
#include "papers/study/machine/state.hpp"

namespace study {

using tl0::instruction;
using tl0::opcode;

// The thread that this one ends with.
index counted_machine::execute(index thread) {
  thread_ = thread;
  pops_ = code_.threads[thread].pops;
  values_[0] = now_->slots.data();
  values_[1] = temporaries_.data();
  index next = kNone;
  for (index at = p_.threads[thread].code.instructions.first;; ++at) {
    const instruction& it = p_.instructions[at];
    const instruction_code& code = code_.instructions[at];
    ++counts_.tl0_instructions;
    if (!it.to.is_none()) {
      assign(it, at);
    } else if (it.op == opcode::stop) {
      if (code.main != kNone && code_.pieces[code.main].count != 0) end_thread(code.main);
      return next;
    } else if (it.op == opcode::fork || it.op == opcode::again) {
      next = enable(code_.arms[code.arms]);
    } else if (it.op == opcode::choose_thread) {
      charge(code.main);
      next = enable(code_.arms[code.arms + (get(it.a) != 0 ? 0 : 1)]);
    } else {
      execute_effect(it, at);
    }
    if (code_.how != discipline::am && !high_.is_empty()) serve();
  }
}

void counted_machine::assign(const instruction& it, index at) {
  const instruction_code& code = code_.instructions[at];
  if (!is_operation(it.op)) {
    charge(code.main);
    const word value = value_of(it, at);
    charge(code.stores);
    return set(it.to, value);
  }
  try {
    set(it.to, tl0::apply(it.op, get(it.a), it.b.is_none() ? 0 : get(it.b)));
  } catch (const tl0::no_value& none) {
    wrong(at, none.why);
  }
  charge(code.main);
}

word counted_machine::value_of(const instruction& it, index at) {
  switch (it.op) {
    case opcode::move:
      return get(it.a);
    case opcode::retype:
      return code_.instructions[at].makes_bool ? get(it.a) != 0 : get(it.a);
    case opcode::own_frame:
      return name_of_inlet(*now_, kNone);
    case opcode::own_inlet:
      return name_of_inlet(*now_, it.target);
    case opcode::rank_count:
      return 1;
    case opcode::choose:
      return get(get(it.a) != 0 ? it.b : p_.arguments[it.first_argument]);
    case opcode::falloc:
      return activate(it, at, nullptr);
    case opcode::ialloc:
    case opcode::malloc:
      return make_structure(it, at);
    default:
      return 0;
  }
}

void counted_machine::execute_effect(const instruction& it, index at) {
  switch (it.op) {
    case opcode::send:
      charge(code_.instructions[at].main);
      return send(it, at);
    case opcode::spawn: {
      activation* made = nullptr;
      charge(code_.instructions[at].main);
      activate(it, at, &made);
      for (index k = 0; k < it.argument_count; ++k)
        words_[k] = get(p_.arguments[it.first_argument + k]);
      return send_inlet(*made, p_.blocks[made->block].inlets.first, words_.data(),
                        it.argument_count, at, static_cast<message_kind>(it.argument_count));
    }
    case opcode::falloc_at: {
      charge(code_.instructions[at].main);
      const word made = activate(it, at, nullptr);
      const word to =
          it.other != kNone ? name_of_inlet(*now_, it.other) : get(p_.arguments[it.first_argument]);
      return send_to(to, &made, 1, at, message_kind::other);
    }
    case opcode::ffree:
      charge(code_.instructions[at].main);
      return free_activation();
    case opcode::print:
    case opcode::write:
      charge(code_.instructions[at].main);
      return print_items(it);
    case opcode::require:
      charge(code_.instructions[at].main);
      if (get(it.a) == 0) wrong(at, text_of_items(it));
      return;
    case opcode::fail:
      wrong(at, tl0::unescaped(p_.strings[it.a.at()]));
    case opcode::length:
    case opcode::ifetch:
    case opcode::istore:
    case opcode::mtake:
    case opcode::mput:
      charge(code_.instructions[at].main);
      return request(it, at);
    default:
      wrong(at, "the counted machine does not know this instruction");
  }
}

void counted_machine::send(const instruction& it, index at) {
  for (index k = 0; k < it.argument_count; ++k)
    words_[k] = get(p_.arguments[it.first_argument + k]);
  const auto kind = static_cast<message_kind>(it.argument_count);
  if (it.target == kNone) return send_to(get(it.a), words_.data(), it.argument_count, at, kind);
  send_inlet(activation_of(get(it.a), at), it.target, words_.data(), it.argument_count, at, kind);
}

std::string counted_machine::text_of_items(const instruction& it) const {
  const auto& thread = p_.threads[thread_];
  std::string text;
  for (index k = 0; k < it.argument_count; ++k) {
    const tl0::operand item = p_.arguments[it.first_argument + k];
    text += item.where() == tl0::space::string
                ? tl0::unescaped(p_.strings[item.at()])
                : tl0::text_of(get(item), tl0::kind_of(p_, thread.block, thread.code, item));
  }
  return text;
}

void counted_machine::print_items(const instruction& it) {
  line_ += text_of_items(it);
  if (it.op != opcode::print) return;
  output_(output_to_, line_ + "\n");
  line_.clear();
}

}  // namespace study
