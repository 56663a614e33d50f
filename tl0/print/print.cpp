// SPDX-License-Identifier: Apache-2.0
// The canonical form. A block's members stand in the order slots, inlets, threads, as they do in
// the program's arrays; so where they came in another order, the order between kinds is lost.
#include "tl0/print/print.hpp"

#include "tl0/print/body_text.hpp"

namespace tl0 {
namespace {

class printer {
 public:
  explicit printer(const program& p) : p_(p) {}

  std::string run() {
    for (const code_block& b : p_.blocks) block(b);
    return std::move(out_);
  }

 private:
  void line(const std::string& text) { out_ += text + "\n"; }
  // What comes next was made from there.
  void place(const position& where);
  void block(const code_block& b);
  void inlet_lines(const code_block& b, const inlet& shown);
  void thread_lines(const code_block& b, index at);
  void body_lines(const code_block& b, const body& shown);

  const program& p_;
  std::string out_;
  position now_;
};

void printer::place(const position& where) {
  if (where.file == now_.file && (where.file == 0 || where.line == now_.line)) return;
  now_ = where;
  line(where.file == 0
           ? "#line"
           : "#line " + std::to_string(where.line) + " \"" + p_.files[where.file] + "\"");
}

void printer::block(const code_block& b) {
  if (!out_.empty()) line("");
  place(b.where);
  line("block " + p_.name(b.name) + " {");
  for (index i = b.slots.first; i < b.slots.end(); ++i) {
    place(p_.slots[i].where);
    line("  slot " + p_.name(p_.slots[i].name) + ": " + spelling(p_, p_.slots[i].type));
  }
  if (b.slots.count != 0) line("");
  for (index i = b.inlets.first; i < b.inlets.end(); ++i) inlet_lines(b, p_.inlets[i]);
  for (index i = b.threads.first; i < b.threads.end(); ++i) {
    if (i != b.threads.first || b.inlets.count != 0) line("");
    thread_lines(b, i);
  }
  line("}");
}

void printer::inlet_lines(const code_block& b, const inlet& shown) {
  place(shown.where);
  std::string text = "  inlet " + p_.name(shown.name) + "(";
  for (index i = 0; i < shown.parameters.count; ++i) {
    const parameter& argument = p_.parameters[shown.parameters.first + i];
    if (i != 0) text += ", ";
    text += argument.to.is_slot()
                ? p_.name(p_.slots[b.slots.first + argument.to.at()].name)
                : p_.name(p_.temporaries[shown.code.temporaries.first + argument.to.at()].name) +
                      ": " + spelling(p_, argument.type);
  }
  text += ")";
  if (shown.counter != kNone) text += " counts " + p_.name(p_.slots[shown.counter].name);
  if (shown.code.instructions.count != 0) {
    line(text + " {");
    body_lines(b, shown.code);
    text = "  }";
  }
  for (index i = 0; i < shown.posts.count; ++i)
    text += (i == 0 ? " post " : ", ") + p_.name(p_.threads[p_.posts[shown.posts.first + i]].name);
  line(text);
}

void printer::thread_lines(const code_block& b, index at) {
  const thread& shown = p_.threads[at];
  place(shown.where);
  std::string text = at == b.entry || at == b.exit ? "  " : "  thread ";
  text += p_.name(shown.name);
  if (shown.entry_count != 1) text += " count " + std::to_string(shown.entry_count);
  line(text + " {");
  body_lines(b, shown.code);
  line("  }");
}

void printer::body_lines(const code_block& b, const body& shown) {
  body_text statements(p_, b, shown);
  for (index i = shown.instructions.first; i < shown.instructions.end(); ++i) {
    const std::string text = statements.statement(i);
    if (text.empty()) continue;
    place(p_.positions[i]);
    line("    " + text);
  }
}

}  // namespace

std::string print(const program& p) { return printer(p).run(); }

}  // namespace tl0
