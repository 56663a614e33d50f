// SPDX-License-Identifier: Apache-2.0
#include "papers/study/machine/lower.hpp"

#include <algorithm>
#include <utility>

#include "languages/tam/tl0/run/values.hpp"

namespace study {

using tl0::opcode;
using tl0::operand;
using tl0::space;

lowering::lowering(const tl0::program& p, discipline how)
    : p_(p),
      how_(how),
      places_(p, how),
      counts_of_(p.threads.size(), kNone),
      spills_(p.blocks.size()) {
  out_.how = how;
  out_.begin = out_.end = routines().end();
  out_.instructions.resize(p.instructions.size());
  out_.threads.resize(p.threads.size());
  out_.inlets.resize(p.inlets.size());
  out_.blocks.resize(p.blocks.size());
  for (index b = 0; b < p.blocks.size(); ++b) shape_block(b);
}

// The vector, where there is one; entry counts; slots; what is spilled.
void lowering::shape_block(index block) {
  const tl0::code_block& b = p_.blocks[block];
  block_code& made = out_.blocks[block];
  made.vector_words = is_am() ? b.threads.count + 1 : 0;
  made.counts_at = is_am() ? kVector + made.vector_words : 0;
  std::uint32_t counts = 0;
  for (index t = b.threads.first; t < b.threads.end(); ++t)
    if (p_.threads[t].entry_count > 1) counts_of_[t] = counts++;
  made.slots_at = made.counts_at + counts;
  made.frame_words = made.slots_at + b.slots.count;
}

std::int32_t lowering::count_at(index thread) const {
  const block_code& b = out_.blocks[p_.threads[thread].block];
  return std::int32_t((b.counts_at + counts_of_[thread]) * kWordBytes);
}

target_code lowering::run() {
  std::vector<placement::unit> units = places_.units();
  for (std::size_t i = 0; i < units.size(); ++i) {
    const placement::unit& u = units[i];
    if (!u.is_inlet) {
      lower_thread(u, nullptr);
      continue;
    }
    const index behind = u.next;
    const bool merges = behind != kNone && places_.only_inlet(behind) == u.at;
    lower_inlet(u, merges ? index(i + 1) : kNone);
    if (merges) ++i;
  }
  for (index b = 0; b < p_.blocks.size(); ++b) {
    out_.blocks[b].frame_words += spills_[b];
    out_.blocks[b].frame_words = std::max(out_.blocks[b].frame_words, 1u);  // the list of free ones
    lower_begins(b);
  }
  return std::move(out_);
}

// Entry counts of a new activation.
void lowering::lower_begins(index block) {
  const tl0::code_block& b = p_.blocks[block];
  body_code code(p_, out_, 0, 0, {});
  for (index t = b.threads.first; t < b.threads.end(); ++t) {
    if (counts_of_[t] == kNone) continue;
    code.add(1);
    code.add_access(event::kind::write, place::made, region::frame,
                    std::uint32_t(count_at(t)) / kWordBytes);
  }
  out_.blocks[block].begins = code.piece_here();
}

body_code lowering::body_of(index block, const tl0::body& b) {
  std::vector<index> last(b.temporaries.count, kNone);
  const auto use = [&](operand o, index at) {
    if (o.is_temporary()) last[o.at()] = at;
  };
  for (index at = b.instructions.first; at < b.instructions.end(); ++at) {
    const tl0::instruction& it = p_.instructions[at];
    out_.instructions[at].makes_bool =
        it.op == tl0::opcode::retype && tl0::kind_of(p_, block, b, it.to) == tl0::kind::boolean;
    use(it.a, at);
    use(it.b, at);
    for (index k = 0; k < it.argument_count; ++k) use(p_.arguments[it.first_argument + k], at);
  }
  const block_code& shape = out_.blocks[block];
  body_code code(p_, out_, shape.slots_at, shape.slots_at + p_.blocks[block].slots.count,
                 std::move(last));
  code.is_volatile = [this, block](index slot) {
    return places_.is_changed_by_inlets(block, slot);
  };
  return code;
}

void lowering::lower_inlet(const placement::unit& u, index merged) {
  const tl0::inlet& in = p_.inlets[u.at];
  const index thread = merged == kNone ? kNone : u.next;
  body_code code = body_of(in.block, in.code);
  inlet_code& made = out_.inlets[u.at];
  code.add(cost::take_frame);
  for (index k = 0; k < in.parameters.count; ++k) {
    const operand to = p_.parameters[in.parameters.first + k].to;
    code.is_in_message(to, k + 2);
    if (to.is_temporary()) continue;
    const bool stays = thread != kNone && places_.is_private(in.block, to.at(), thread);
    if (stays) continue;
    code.load(to);
    code.define(to);
  }
  made.takes = code.piece_here();
  for (index at = in.code.instructions.first; at < in.code.instructions.end(); ++at) {
    code.at_instruction(at);
    lower_instruction(code, at);
    end_instruction(code, at);
  }
  if (in.counter != kNone) {
    const index slot = in.counter - p_.blocks[in.block].slots.first;
    code.add(cost::count, std::int32_t((out_.blocks[in.block].slots_at + slot) * kWordBytes));
    made.counts = code.piece_here();
  }
  std::vector<arm> arms;
  for (index k = in.posts.first; k < in.posts.end(); ++k)
    arms.push_back(lower_arm(code, p_.posts[k], k + 1 == in.posts.end(), u, false));
  made.arms = add_arms(arms);
  made.pops = !is_am() && pops(u);
  if (is_am() || in.posts.count == 0 || in.counter != kNone) {
    code.add(cost::suspend);
    made.suspends = code.piece_here();
  }
  spills_[in.block] = std::max(spills_[in.block], code.spills());
  if (merged != kNone) lower_thread(places_.units()[merged], &code);
}

// Behind its only inlet a thread goes on with what the inlet left in registers and message.
void lowering::lower_thread(const placement::unit& u, body_code* merged) {
  const tl0::thread& t = p_.threads[u.at];
  body_code code = body_of(t.block, t.code);
  if (merged != nullptr) code.take_over(*merged);
  thread_code& made = out_.threads[u.at];
  if (how_ == discipline::am && !is_outside_quanta(u.at)) code.add(cost::window);
  made.begins = code.piece_here();
  made.pops = !is_am() && pops(u);
  made.ends_activation = places_.ends_activation(u.at);
  lower_body(code, t.code, u);
  spills_[t.block] = std::max(spills_[t.block], code.spills());
}

void lowering::lower_body(body_code& code, const tl0::body& b, const placement::unit& u) {
  const index last = last_control(p_, u.at);
  for (index at = b.instructions.first; at < b.instructions.end(); ++at) {
    const tl0::instruction& it = p_.instructions[at];
    instruction_code& made = out_.instructions[at];
    code.at_instruction(at);
    const bool is_last = at == last;
    if (it.op == opcode::stop) {
      if (last == kNone) add_end(code, u);
      made.main = code.piece_here();
    } else if (it.op == opcode::fork || it.op == opcode::again) {
      made.arms = add_arms({lower_arm(code, it.target, is_last, u, false)});
    } else if (it.op == opcode::choose_thread) {
      code.load(it.a);
      code.add(1);
      made.main = code.piece_here();
      // The way on, if there is one, is the second of the two.
      const bool swaps = is_last && it.target != kNone && it.target == u.next;
      arm first, second;
      if (swaps) {
        second = lower_arm(code, it.other, is_last, u, true);
        first = lower_arm(code, it.target, is_last, u, false);
      } else {
        first = lower_arm(code, it.target, is_last, u, true);
        second = lower_arm(code, it.other, is_last, u, false);
      }
      made.arms = add_arms({first, second});
    } else {
      lower_instruction(code, at);
      end_instruction(code, at);
    }
  }
}

// The rest of the instruction, where a routine was called in its middle.
void lowering::end_instruction(body_code& code, index at) {
  instruction_code& made = out_.instructions[at];
  (made.main == kNone ? made.main : made.stores) = code.piece_here();
}

index lowering::add_arms(const std::vector<arm>& wanted) {
  out_.arms.insert(out_.arms.end(), wanted.begin(), wanted.end());
  return index(out_.arms.size() - wanted.size());
}

// `is_branched_to`: by the test of a switch, and other instructions stand behind this arm.
arm lowering::lower_arm(body_code& code, index thread, bool is_last, const placement::unit& u,
                        bool is_branched_to) {
  arm made{.thread = thread, .is_last = is_last};
  if (thread == kNone) {
    if (!is_last) return made;
    add_end(code, u);
    made.ends = code.piece_here();
    return made;
  }
  const bool is_counted = p_.threads[thread].entry_count > 1;
  const bool recounts = is_counted && places_.has_loops(p_.threads[thread].block);
  const bool is_post_am = u.is_inlet && is_am();
  if (how_ == discipline::am_enabled && !u.is_inlet && (is_counted || !is_last))
    code.add(cost::guard);
  if (is_counted) {
    code.add(cost::count, count_at(thread));
    made.counts = code.piece_here();
    if (recounts) code.add(cost::recount, count_at(thread));
  }
  // A conditional branch of its own, or of the switch, leads to the thread.
  const bool has_branch = is_counted ? !recounts : is_branched_to;
  const bool is_behind = u.next == thread && !is_branched_to && !is_counted;
  if (is_post_am) {
    code.add(cost::post);
  } else if (!is_last) {
    code.add(is_am() ? cost::push_am : cost::push_md);
    if (is_branched_to) code.add(cost::jump);
  } else if (!has_branch && !is_behind) {
    code.add(cost::jump);
  }
  made.enables = code.piece_here();
  if (is_last && is_counted && !is_post_am) {
    add_end(code, u);
    made.ends = code.piece_here();
  }
  return made;
}

// The next thread of the vector; or the end of the handler, where the vector is known to be empty.
void lowering::add_end(body_code& code, const placement::unit& u) {
  if (!u.is_inlet && is_outside_quanta(u.at)) return code.add(cost::jump);
  if (!is_am()) return code.add(pops(u) ? cost::pop_md : cost::suspend);
  code.add(places_.ends_activation(u.at) ? cost::jump : cost::pop_am);
  if (how_ == discipline::am_enabled) code.add(cost::guard);
}

// MD: whether threads may be left on the local continuation vector.
bool lowering::pops(const placement::unit& u) const {
  if (u.is_inlet) return p_.inlets[u.at].posts.count != 1;
  return !is_outside_quanta(u.at) && !places_.ends_empty(u.at) && !places_.ends_activation(u.at);
}

// What begins and ends quanta.
bool lowering::is_outside_quanta(index thread) const {
  const tl0::code_block& b = p_.blocks[p_.threads[thread].block];
  return thread == b.entry || thread == b.exit;
}

target_code lower(const tl0::program& p, discipline how) { return lowering(p, how).run(); }

}  // namespace study
