// SPDX-License-Identifier: Apache-2.0
// The unit: frames, inlets, threads, the tables of code blocks, main.
#include <algorithm>
#include <set>

#include "languages/tam/tl0/emit/body_emitter.hpp"
#include "languages/tam/tl0/emit/emit.hpp"
#include "languages/tam/tl0/emit/names.hpp"
#include "languages/tam/tl0/emit/preamble.hpp"

namespace tl0 {
namespace {

class unit {
 public:
  explicit unit(const program& p) : p_(p), again_(p.threads.size()) {}

  std::string run();

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  void find_again();
  void give_again(index thread, std::vector<index>& left);
  void operations();
  void frame(index block);
  void tables(index block);
  void start();
  std::size_t posted_threads(const code_block& b) const;

  const program& p_;
  std::vector<bool> again_;
  std::string out_;
};

// Threads that a loop may enable in each of its rounds: what its head leads to, by answers, too.
void unit::find_again() {
  std::vector<index> left;
  for (const instruction& i : p_.instructions)
    if (i.op == opcode::again) give_again(i.target, left);
  while (!left.empty()) {
    const index at = left.back();
    left.pop_back();
    const range code = p_.threads[at].code.instructions;
    for (index i = code.first; i < code.end(); ++i) {
      const instruction& it = p_.instructions[i];
      if (it.op == opcode::fork || it.op == opcode::again) give_again(it.target, left);
      if (it.op == opcode::choose_thread)
        for (const index to : {it.target, it.other})
          if (to != kNone) give_again(to, left);
    }
    // Any inlet of the block may get an answer to what the loop asks for.
    const range inlets = p_.blocks[p_.threads[at].block].inlets;
    for (index i = inlets.first; i < inlets.end(); ++i) {
      const range posts = p_.inlets[i].posts;
      for (index k = posts.first; k < posts.end(); ++k) give_again(p_.posts[k], left);
    }
  }
}

void unit::give_again(index thread, std::vector<index>& left) {
  if (again_[thread]) return;
  again_[thread] = true;
  left.push_back(thread);
}

std::string c_type_of(char letter) {
  return letter == 'i' ? "int64_t" : letter == 'f' ? "double" : "_Bool";
}

// Those that the program uses.
void unit::operations() {
  std::set<opcode> used;
  for (const instruction& i : p_.instructions)
    if (is_operation(i.op)) used.insert(i.op);
  for (const opcode op : used) {
    const operation& about = operation_of(op);
    if (about.value.starts_with("checked_")) continue;
    std::string list = c_type_of(about.operands[0]) + " a";
    if (about.operands.size() > 1) list += ", " + c_type_of(about.operands[1]) + " b";
    line("TL0_INLINE " + c_type_of(about.result) + " tl0_op_" + std::string(about.name) + "(" +
         list + ") { return " + std::string(about.value) + "; }");
  }
}

std::size_t unit::posted_threads(const code_block& b) const {
  std::set<index> posted;
  for (index i = b.inlets.first; i < b.inlets.end(); ++i) {
    const range posts = p_.inlets[i].posts;
    for (index k = posts.first; k < posts.end(); ++k) posted.insert(p_.posts[k]);
  }
  // One that was put aside is posted again, into an entry of its own.
  for (index t = b.threads.first; t < b.threads.end(); ++t)
    if (p_.threads[t].when_room || p_.threads[t].after_calls) posted.insert(t);
  return posted.size();
}

void unit::frame(index block) {
  const code_block& b = p_.blocks[block];
  const std::string name = block_name(p_, block);
  line("\nstruct " + name + " {\n  struct tam_frame head;\n  struct tam_entry rcv[" +
       std::to_string(1 + posted_threads(b)) + "];");
  std::string counts;
  for (index t = b.threads.first; t < b.threads.end(); ++t) {
    if (p_.threads[t].entry_count == 1) continue;
    line("  uint32_t " + count_name(p_, t) + ";");
    counts += "  ((struct " + name + "*)frame)->" + count_name(p_, t) + " = " +
              std::to_string(p_.threads[t].entry_count) + ";\n";
  }
  for (index s = b.slots.first; s < b.slots.end(); ++s)
    line("  " + c_type(p_, p_.slots[s].type) + " " + slot_name(p_, s) + ";");
  line("};\nstatic const TAM_BLOCK(" + name + ", " + std::to_string(b.inlets.count) + ") " + name +
       "_block;");
  line("static void " + name + "_prepare(struct tam_frame* frame) {\n  (void)frame;\n" + counts +
       "}\nTAM_FALLOC_OF(" + name + ")");
  for (index t = b.threads.first; t < b.threads.end(); ++t)
    line("static tam_lcv " + thread_name(p_, t) + "(struct tam_frame* frame, tam_lcv lcv);");
}

void unit::tables(index block) {
  const code_block& b = p_.blocks[block];
  const std::string name = block_name(p_, block);
  std::string inlets, entries, threads;
  for (index i = b.inlets.first; i < b.inlets.end(); ++i) {
    inlets +=
        "    {\"" + p_.name(p_.inlets[i].name) + "\", " + site(p_, p_.inlets[i].where) + "},\n";
    entries += (entries.empty() ? "" : ", ") + inlet_name(p_, i) + "_inlet";
  }
  for (index t = b.threads.first; t < b.threads.end(); ++t)
    threads += "    {\"" + p_.name(p_.threads[t].name) + "\", " + site(p_, p_.threads[t].where) +
               ", " +
               (p_.threads[t].entry_count == 1
                    ? "0"
                    : "offsetof(struct " + name + ", " + count_name(p_, t) + ")") +
               "},\n";
  const auto table = [&](const std::string& what, const std::string& text) {
    if (!text.empty())
      line("static const struct tam_" + what + "_info " + name + "_" + what + "s[] = {\n" + text +
           "};");
    return text.empty() ? std::string("NULL") : name + "_" + what + "s";
  };
  const std::string of_inlets = table("inlet", inlets), of_threads = table("thread", threads);
  const auto quantum = [&](index t) {
    return t == kNone ? std::string("NULL") : thread_name(p_, t);
  };
  line("static const struct " + name + "_block_type " + name + "_block = {\n    {\"" +
       p_.name(b.name) + "\", " + site(p_, b.where) + ", TAM_SCHEDULER, sizeof(struct " + name +
       "), " + std::to_string(b.inlets.count) + ", " + std::to_string(b.threads.count) + ", " +
       of_inlets + ", " + of_threads + ",\n     " + name + "_prepare, " + quantum(b.entry) + ", " +
       quantum(b.exit) + "},\n    {" + (entries.empty() ? "NULL" : entries) + "}};");
}

void unit::start() {
  const inlet& args = *p_.find_inlet(p_.main, kMainInlet);
  const index count = args.parameters.count;
  std::string types, words;
  for (index i = 0; i < count; ++i) {
    const index type = p_.parameters[args.parameters.first + i].type;
    const std::string read =
        "tl0_read_" + spelling(p_, type) + "(argv[" + std::to_string(i + 1) + "])";
    types += (i == 0 ? ": " : ", ") + spelling(p_, type);
    words += ", " + as_word(p_, type, read);
  }
  const std::string block = block_name(p_, p_.main);
  line("static void start(int argc, char** argv) {\n  (void)argv;\n  if (argc != " +
       std::to_string(count + 1) + ") {\n    fputs(\"error: the program takes " +
       std::to_string(count) + (count == 1 ? " argument" : " arguments") + types +
       "\\n\", stderr);\n    _Exit(2);\n  }\n  struct " + block + "* const f = TAM_FALLOC(" +
       block + ");\n  TAM_PASS" + std::to_string(count) + "(" +
       inlet_name(p_, static_cast<index>(&args - p_.inlets.data())) + ", f, NULL" + words +
       ");\n}");
  line("int main(int argc, char** argv) {\n  return tam_main(argc, argv, tl0_blocks, " +
       std::to_string(p_.blocks.size()) + ", start, NULL);\n}");
}

std::string unit::run() {
  out_ = "/* Made by tl0 from " + p_.files[0] + ". */\n" + std::string(kPreamble) + "\n";
  find_again();
  operations();
  const auto blocks = static_cast<index>(p_.blocks.size());
  for (index b = 0; b < blocks; ++b) frame(b);
  line("\nstatic const struct tam_block* const tl0_blocks[] = {");
  for (index b = 0; b < blocks; ++b) line("    &" + block_name(p_, b) + "_block.block,");
  line("};\n");
  body_emitter functions(p_, again_, out_);
  for (index i = 0; i < p_.inlets.size(); ++i) functions.inlet(i);
  for (index t = 0; t < p_.threads.size(); ++t) functions.thread(t);
  line("");
  for (index b = 0; b < blocks; ++b) tables(b);
  start();
  return std::move(out_);
}

}  // namespace

std::string emit(const program& p) { return unit(p).run(); }

}  // namespace tl0
