// SPDX-License-Identifier: Apache-2.0
// The canonical form. A block's members stand in the order slots, inlets, threads, as they do in
// the program's arrays. If the source has them in another order, the order between kinds is lost.
#include "languages/tam/tl0/print/print.hpp"

#include "languages/tam/tl0/print/body_text.hpp"

namespace tl0 {

namespace {

class program_printer {
 public:
  explicit program_printer(const program& p) : p_(p), statements_(p, out_) {}

  std::string print() {
    for (const code_block& b : p_.blocks) {
      if (&b != &p_.blocks.front()) put('\n');
      block(b);
    }
    return std::move(out_);
  }

 private:
  // A #line, unless what follows was made at the same place as what was printed last.
  void place(const position& where) {
    if (where.file == now_.file && (where.file == 0 || where.line == now_.line)) return;
    now_ = where;
    if (where.file == 0) return put("#line\n");
    put("#line ", std::int64_t{where.line}, " \"", p_.files[where.file], "\"\n");
  }

  void block(const code_block& b) {
    place(b.where);
    put("block ", p_.name(b.name), " {\n");
    for (index i = b.slots.first; i < b.slots.end(); ++i) {
      const slot& shown = p_.slots[i];
      place(shown.where);
      put("  slot ", p_.name(shown.name), ": ", statements_.spelling(shown.type), '\n');
    }
    if (b.slots.count != 0) put('\n');
    for (index i = b.inlets.first; i < b.inlets.end(); ++i) inlet_lines(b, p_.inlets[i]);
    for (index i = b.threads.first; i < b.threads.end(); ++i) {
      if (i != b.threads.first || b.inlets.count != 0) put('\n');
      thread_lines(b, i);
    }
    put("}\n");
  }

  void inlet_lines(const code_block& b, const inlet& shown) {
    place(shown.where);
    put("  inlet ", p_.name(shown.name), '(');
    for (index i = 0; i < shown.parameters.count; ++i) {
      const parameter& argument = p_.parameters[shown.parameters.first + i];
      if (i != 0) put(", ");
      if (argument.to.is_slot()) {
        put(p_.name(p_.slots[b.slots.first + argument.to.at()].name));
        continue;
      }
      const temporary& made = p_.temporaries[shown.code.temporaries.first + argument.to.at()];
      put(p_.name(made.name), ": ", statements_.spelling(argument.type));
    }
    put(')');
    if (shown.counter != kNone) put(" counts ", p_.name(p_.slots[shown.counter].name));
    if (shown.code.instructions.count != 0) {
      put(" {\n");
      body_lines(b, shown.code);
      put("  }");
    }
    for (index i = 0; i < shown.posts.count; ++i) {
      const std::string& name = p_.name(p_.threads[p_.posts[shown.posts.first + i]].name);
      put(std::string_view(i == 0 ? " post " : ", "), name);
    }
    put('\n');
  }

  void thread_lines(const code_block& b, index at) {
    const thread& shown = p_.threads[at];
    place(shown.where);
    const bool is_thread = at != b.entry && at != b.exit;
    put(std::string_view(is_thread ? "  thread " : "  "), p_.name(shown.name));
    if (shown.entry_count != 1) put(" count ", std::int64_t{shown.entry_count});
    if (shown.when_room) put(" when_room");
    if (shown.after_calls) put(" after_calls");
    put(" {\n");
    body_lines(b, shown.code);
    put("  }\n");
  }

  void body_lines(const code_block& b, const body& shown) {
    statements_.begin(b, shown);
    for (index i = shown.instructions.first; i < shown.instructions.end(); ++i) {
      if (!statements_.is_statement(i)) continue;
      place(p_.positions[i]);
      statements_.statement(i);
    }
  }

  template <class... Parts>
  void put(const Parts&... parts) {
    (append(out_, parts), ...);
  }

  const program& p_;
  std::string out_;
  body_text statements_;
  position now_;
};

}  // namespace

std::string print(const program& p) { return program_printer(p).print(); }

}  // namespace tl0
