// SPDX-License-Identifier: Apache-2.0
// The canonical form. A block's members stand in the order slots, inlets, threads, as they do in
// the program's arrays; so where they came in another order, the order between kinds is lost.
#include "tl0/print/print.hpp"

namespace tl0 {

block_printer::block_printer(const program& p)
    : p_(p), out_(kBytesExpected), statements_(p, out_) {}

void block_printer::place_slow(const position& where) {
  now_ = where;
  if (where.file == 0) return out_.put("#line\n");
  out_.put("#line ", std::int64_t{where.line}, " \"", p_.files[where.file], "\"\n");
}

void block_printer::begin(bool is_first, index types_kept) {
  out_.clear();
  statements_.forget_types(types_kept);
  now_ = {is_first ? 0 : kNone, 0, 0};
  is_first_ = is_first;
  bytes_of_place_ = 0;
}

void block_printer::print(const code_block& b) {
  if (!is_first_) out_.put('\n');
  is_first_ = false;
  const std::size_t begin = out_.size();
  const bool is_behind = now_.file == kNone;
  place(b.where);
  if (is_behind) {
    bytes_of_place_ = out_.size() - begin;
    place_of_first_ = b.where;
  }
  out_.put("block ", p_.name(b.name), " {\n");
  for (index i = b.slots.first; i < b.slots.end(); ++i) {
    const slot& shown = p_.slots[i];
    place(shown.where);
    out_.put("  slot ", p_.name(shown.name), ": ", statements_.spelling(shown.type), '\n');
  }
  if (b.slots.count != 0) out_.put('\n');
  for (index i = b.inlets.first; i < b.inlets.end(); ++i) inlet_lines(b, p_.inlets[i]);
  for (index i = b.threads.first; i < b.threads.end(); ++i) {
    if (i != b.threads.first || b.inlets.count != 0) out_.put('\n');
    thread_lines(b, i);
  }
  out_.put("}\n");
}

void block_printer::inlet_lines(const code_block& b, const inlet& shown) {
  place(shown.where);
  out_.put("  inlet ", p_.name(shown.name), '(');
  for (index i = 0; i < shown.parameters.count; ++i) {
    const parameter& argument = p_.parameters[shown.parameters.first + i];
    if (i != 0) out_.put(", ");
    if (argument.to.is_slot()) {
      out_.put(p_.name(p_.slots[b.slots.first + argument.to.at()].name));
      continue;
    }
    const temporary& to = p_.temporaries[shown.code.temporaries.first + argument.to.at()];
    out_.put(p_.name(to.name), ": ", statements_.spelling(argument.type));
  }
  out_.put(')');
  if (shown.counter != kNone) out_.put(" counts ", p_.name(p_.slots[shown.counter].name));
  if (shown.code.instructions.count != 0) {
    out_.put(" {\n");
    body_lines(b, shown.code);
    out_.put("  }");
  }
  for (index i = 0; i < shown.posts.count; ++i) {
    const std::string& to = p_.name(p_.threads[p_.posts[shown.posts.first + i]].name);
    i == 0 ? out_.put(" post ", to) : out_.put(", ", to);
  }
  out_.put('\n');
}

void block_printer::thread_lines(const code_block& b, index at) {
  const thread& shown = p_.threads[at];
  place(shown.where);
  const bool is_thread = at != b.entry && at != b.exit;
  is_thread ? out_.put("  thread ", p_.name(shown.name)) : out_.put("  ", p_.name(shown.name));
  if (shown.entry_count != 1) out_.put(" count ", std::int64_t{shown.entry_count});
  if (shown.when_room) out_.put(" when_room");
  if (shown.after_calls) out_.put(" after_calls");
  out_.put(" {\n");
  body_lines(b, shown.code);
  out_.put("  }\n");
}

void block_printer::body_lines(const code_block& b, const body& shown) {
  statements_.begin(b, shown);
  for (index i = shown.instructions.first; i < shown.instructions.end(); ++i) {
    if (!statements_.is_statement(i)) continue;
    place(p_.positions[i]);
    statements_.statement(i);
  }
}

std::string print(const program& p) {
  block_printer printer(p);
  for (const code_block& b : p.blocks) printer.print(b);
  return std::string(printer.text());
}

}  // namespace tl0
