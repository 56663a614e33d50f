// SPDX-License-Identifier: Apache-2.0
// Quanta, threads, instructions.
#include "languages/tam/tl0/run/machine.hpp"

#include <algorithm>

#include "languages/tam/tl0/run/state.hpp"

namespace tl0 {
namespace {

index most_temporaries(const program& p) {
  index most = 0;
  for (const thread& t : p.threads) most = std::max(most, t.code.temporaries.count);
  for (const inlet& i : p.inlets) most = std::max(most, i.code.temporaries.count);
  return most;
}

}  // namespace

machine::machine(const program& p, void (*output)(void*, std::string_view), void* to)
    : p_(p),
      output_(output),
      output_to_(to),
      free_(p.blocks.size()),
      temporaries_(most_temporaries(p)),
      inlet_temporaries_(most_temporaries(p)),
      constants_(p.constants) {
  bases_[2] = constants_.data();
}

machine::~machine() = default;

void machine::wrong(index at, const std::string& text) const {
  throw execution_error(at == kNone ? p_.blocks[p_.main].where : p_.positions[at],
                        text + (now_ && !freed_ ? " (" + said(*now_) + ")" : ""));
}

void machine::run(const std::vector<word>& arguments) {
  frame* const main = make_frame(p_.main, kNone);
  const inlet* const args = p_.find_inlet(p_.main, kMainInlet);
  deliver(*main, static_cast<index>(args - p_.inlets.data()), arguments.data(), kNone);
  while (!ready_.empty()) {
    frame& next = *ready_.back();
    ready_.pop_back();
    quantum(next);
  }
  if (main->lives) deadlock();
}

// Until no thread of the frame is enabled.
void machine::quantum(frame& f) {
  const code_block& block = p_.blocks[f.block];
  ++counts_.quanta;
  now_ = &f;
  freed_ = false;
  bases_[0] = f.slots.data();
  bases_[1] = temporaries_.data();
  if (block.entry != kNone) execute(block.entry);
  while (!f.enabled.empty()) {
    const index next = f.enabled.back();
    f.enabled.pop_back();
    ++counts_.threads;
    execute(next);
    if (freed_) break;
  }
  if (block.exit != kNone && !freed_) execute(block.exit);
  f.is_ready = false;
  now_ = nullptr;
}

void machine::execute(index thread) {
  body_ = &p_.threads[thread].code;
  index at = body_->instructions.first;
  for (;; ++at) {
    const instruction& it = p_.instructions[at];
    ++counts_.instructions;
    if (is_operation(it.op)) {
      try {
        set(it.to, apply(it.op, get(it.a), it.b.is_none() ? 0 : get(it.b)));
      } catch (const no_value& none) {
        wrong(at, none.why);
      }
    } else if (it.op == opcode::stop) {
      return;
    } else if (!it.to.is_none()) {
      set(it.to, value_of(it, at));
    } else {
      execute_effect(it, at);
    }
  }
}

kind machine::kind_of(operand o) const { return tl0::kind_of(p_, now_->block, *body_, o); }

word machine::value_of(const instruction& it, index at) {
  switch (it.op) {
    case opcode::move:
      return get(it.a);
    case opcode::retype:
      return kind_of(it.to) == kind::boolean ? get(it.a) != 0 : get(it.a);
    case opcode::own_frame:
      return name_of(*now_, kNone);
    case opcode::own_inlet:
      return name_of(*now_, it.target);
    case opcode::rank:
    case opcode::room:
    case opcode::owner:
      return 0;
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

void machine::execute_effect(const instruction& it, index at) {
  switch (it.op) {
    case opcode::fork:
    case opcode::again:
      return enable(*now_, it.target);
    case opcode::choose_thread: {
      const index chosen = get(it.a) != 0 ? it.target : it.other;
      if (chosen != kNone) enable(*now_, chosen);
      return;
    }
    case opcode::send:
      return send(it, at);
    case opcode::spawn:
      return spawn(it, at);
    case opcode::falloc_at:
      return answer(it, it.other, at, activate(it, at, nullptr));
    case opcode::length:
      return answer(it, it.target, at, length_of(it, at));
    case opcode::ffree:
      return free_frame();
    case opcode::ifetch:
    case opcode::mtake:
      return fetch(it, at);
    case opcode::istore:
    case opcode::mput:
      return store(it, at);
    case opcode::print:
    case opcode::write:
      return print_items(it);
    case opcode::require:
      if (get(it.a) == 0) wrong(at, text_of_items(it));
      return;
    case opcode::fail:
      wrong(at, unescaped(p_.strings[it.a.at()]));
    default:
      return;
  }
}

void machine::send(const instruction& it, index at) {
  // The arguments may be more than a message before had, and the inlet executes nothing that sends.
  arguments_.clear();
  for (unsigned k = 0; k < it.argument_count; ++k)
    arguments_.push_back(get(p_.arguments[it.first_argument + k]));
  const word to = get(it.a);
  if (it.target == kNone) return send_to(to, arguments_.data(), at);
  deliver(frame_of(to, at), it.target, arguments_.data(), at);
}

// The new activation's name; of one made by code, that of its first inlet.
word machine::activate(const instruction& it, index at, frame** made) {
  if (is_at(it.place) && get(it.b) != 0)
    wrong(at, "there is no rank " + std::to_string(static_cast<std::int64_t>(get(it.b))));
  const bool is_code = it.target == kNone;
  frame* const f = make_frame(is_code ? static_cast<index>(get(it.a)) : it.target, at);
  if (made) *made = f;
  return name_of(*f, is_code ? p_.blocks[f->block].inlets.first : kNone);
}

void machine::spawn(const instruction& it, index at) {
  arguments_.clear();
  for (unsigned k = 0; k < it.argument_count; ++k)
    arguments_.push_back(get(p_.arguments[it.first_argument + k]));
  frame* made = nullptr;
  activate(it, at, &made);
  deliver(*made, p_.blocks[made->block].inlets.first, arguments_.data(), at);
}

std::string machine::text_of_items(const instruction& it) const {
  std::string text;
  for (unsigned k = 0; k < it.argument_count; ++k) {
    const operand item = p_.arguments[it.first_argument + k];
    text += item.where() == space::string ? unescaped(p_.strings[item.at()])
                                          : text_of(get(item), kind_of(item));
  }
  return text;
}

void machine::print_items(const instruction& it) {
  line_ += text_of_items(it);
  if (it.op != opcode::print) return;
  output_(output_to_, line_ + "\n");
  line_.clear();
}

}  // namespace tl0
