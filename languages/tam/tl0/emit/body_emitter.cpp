// SPDX-License-Identifier: Apache-2.0
// Functions, and what gives threads entries. Values and messages are in values.cpp, messages.cpp.
#include "languages/tam/tl0/emit/body_emitter.hpp"

#include "languages/tam/tl0/emit/names.hpp"

namespace tl0 {

// Debuggers and reports see the lines of the program.
void body_emitter::place(const position& where) {
  out_ += "#line " + std::to_string(where.line) +
          (where.file == now_.file ? "" : " " + quoted(p_.files[where.file])) + "\n";
  now_ = where;
}

void body_emitter::begin(index block, const body& code) {
  block_ = block;
  body_ = &code;
  now_ = {kNone, 0};
}

void body_emitter::thread(index at) {
  const tl0::thread& shown = p_.threads[at];
  begin(shown.block, shown.code);
  is_thread_ = true;
  const std::string type = "struct " + block_name(p_, shown.block);
  place(shown.where);
  const std::string name = thread_name(p_, at);
  const std::string takes = "(struct tam_frame* frame, tam_lcv lcv) {\n";
  out_ += "static tam_lcv " + name + (shown.after_calls ? "_then" : "") + takes;
  line(type + "* const f = (" + type + "*)frame;");
  line("(void)f, (void)lcv;");
  if (shown.when_room) line("TAM_WHEN_ROOM(f, lcv, " + name + ");");
  const range code = shown.code.instructions;
  for (index i = code.first; i < code.end(); ++i) statement(i);
  out_ += "}\n";
  if (!shown.after_calls) return;
  out_ += "static tam_lcv " + name + takes + "  return TAM_AFTER_CALLS(frame, lcv, " + name +
          "_then);\n}\n";
}

void body_emitter::inlet(index at) {
  const tl0::inlet& shown = p_.inlets[at];
  begin(shown.block, shown.code);
  is_thread_ = false;
  place(shown.where);
  const index count = shown.parameters.count;
  out_ += "TAM_BODY tam_lcv " + inlet_name(p_, at) + "(struct " + block_name(p_, shown.block) +
          "* f, tam_lcv lcv, int way";
  for (index i = 0; i < count; ++i) out_ += ", tam_word w" + std::to_string(i);
  out_ += ") {\n";
  line("(void)f, (void)lcv, (void)way;");
  for (index i = 0; i < count; ++i) {
    const parameter& to = p_.parameters[shown.parameters.first + i];
    assign(to.to, from_word(p_, to.type, "w" + std::to_string(i)));
  }
  const range code = shown.code.instructions;
  for (index i = code.first; i < code.end(); ++i) statement(i);
  if (shown.counter != kNone)
    line("if (--f->" + slot_name(p_, shown.counter) + " != 0) return lcv;");
  posts(shown);
  out_ += "}\nTAM_INLET" + std::to_string(count) + "(" + inlet_name(p_, at) + ", struct " +
          block_name(p_, shown.block) + ")\n";
}

void body_emitter::posts(const tl0::inlet& of) {
  for (index i = of.posts.first; i < of.posts.end(); ++i)
    line(give(p_.posts[i], i + 1 == of.posts.end(), true));
  line("return lcv;");
}

std::string body_emitter::give(index thread, bool last, bool is_post) const {
  const std::string name = thread_name(p_, thread);
  std::string text;
  if (is_post)
    text = (last ? "TAM_POST_LAST(f, lcv, way, " : "TAM_POST(f, lcv, way, ") + name + ");";
  else
    text = last ? "return TAM_JUMP(f, lcv, " + name + ");" : "TAM_FORK(lcv, " + name + ");";
  const index wanted = p_.threads[thread].entry_count;
  if (wanted == 1) return text;
  const std::string count = "f->" + count_name(p_, thread);
  return "if (--" + count + " == 0) { " +
         (again_[thread] ? count + " = " + std::to_string(wanted) + "; " : "") + text + " }";
}

// Whether nothing but stop follows.
bool body_emitter::is_last(index at) const {
  return at + 1 < body_->instructions.end() && p_.instructions[at + 1].op == opcode::stop;
}

// A word to an inlet, and the end of the activation: the machine does both in one.
bool body_emitter::ends_with_send(index send) const {
  const instruction& it = p_.instructions[send];
  return it.op == opcode::send && it.target == kNone && it.argument_count == 1 &&
         block_ != p_.main && send + 1 < body_->instructions.end() &&
         p_.instructions[send + 1].op == opcode::ffree;
}

void body_emitter::statement(index at) {
  const instruction& it = p_.instructions[at];
  if (it.op == opcode::stop) {
    const bool has_returned =
        at > body_->instructions.first &&
        (p_.instructions[at - 1].op == opcode::ffree || p_.instructions[at - 1].op == opcode::fail);
    if (!has_returned) line("return lcv;");
    return;
  }
  place(p_.positions[at]);
  if (it.to.is_none())
    effect(it, at);
  else
    value(it, at);
}

void body_emitter::effect(const instruction& it, index at) {
  switch (it.op) {
    case opcode::fork:
    case opcode::again:
      return line(give(it.target, is_last(at), false));
    case opcode::choose_thread: {
      const auto arm = [&](index thread) {
        return thread == kNone ? std::string("{ }")
                               : "{ " + give(thread, is_last(at), false) + " }";
      };
      return line("if (" + name_of(it.a) + ") " + arm(it.target) + " else " + arm(it.other));
    }
    case opcode::send:
      if (ends_with_send(at))
        return line("return TAM_FFREE_SEND1(f, " + name_of(it.a) + words(it) + ");");
      return send(it);
    case opcode::spawn:
      return spawn(it, at);
    case opcode::falloc_at:
      return falloc_at(it, at);
    case opcode::ffree:
      if (at > body_->instructions.first && ends_with_send(at - 1)) return;
      if (block_ == p_.main) line("tam_send0(lcv, tam_root(0));");
      return line("return TAM_FFREE(f);");
    case opcode::print:
    case opcode::write:
      return print_items(it);
    case opcode::require:
      line("if (TAM_UNLIKELY(!(" + name_of(it.a) + "))) {");
      line("  tl0_used = 0;");
      add_items(it, "  ");
      line("  tl0_fail_with_line(" + site(p_, p_.positions[at]) + ");");
      return line("}");
    case opcode::fail:
      return line("tl0_fail(" + site(p_, p_.positions[at]) + ", \"" + p_.strings[it.a.at()] +
                  "\");");
    default:
      return structure(it, at);
  }
}

}  // namespace tl0
