// SPDX-License-Identifier: Apache-2.0
// The canonical form. A block's members stand in the order slots, inlets, threads, as they do in
// the program's arrays; so where they came in another order, the order between kinds is lost.
#include "tl0/print/print.hpp"

namespace tl0 {

block_printer::block_printer(const program& p)
    : p_(p), out_(kBytesExpected), statements_(p, out_) {}

char* block_printer::place_slow(char* to, const position& where) {
  now_ = where;
  if (where.file == 0) return put(to, "#line\n");
  const std::string& file = p_.files[where.file];
  to = put(out_.room(to, file.size() + kLineMax), "#line ", std::int64_t{where.line}, " \"");
  return statements_.room(put(to, std::string_view(file), "\"\n"));
}

void block_printer::begin(bool is_first, index types_kept) {
  out_.clear();
  statements_.forget_types(types_kept);
  now_ = {is_first ? 0 : kNone, 0, 0};
  is_first_ = is_first;
  bytes_of_place_ = 0;
}

void block_printer::print(const code_block& b) {
  statements_.find_room();
  char* to = statements_.room(out_.begin());
  if (!is_first_) to = put(to, '\n');
  is_first_ = false;
  const bool is_behind = now_.file == kNone;
  const std::size_t before = out_.size_to(to);
  to = place(to, b.where);
  if (is_behind) {
    bytes_of_place_ = out_.size_to(to) - before;
    place_of_first_ = b.where;
  }
  to = put(to, "block ", p_.name(b.name), " {\n");
  for (index i = b.slots.first; i < b.slots.end(); ++i) {
    const slot& shown = p_.slots[i];
    to = place(statements_.room(to), shown.where);
    to = put(to, "  slot ", p_.name(shown.name), ": ");
    to = put(spelling(to, shown.type), '\n');
  }
  if (b.slots.count != 0) to = put(to, '\n');
  for (index i = b.inlets.first; i < b.inlets.end(); ++i) to = inlet_lines(to, b, p_.inlets[i]);
  for (index i = b.threads.first; i < b.threads.end(); ++i) {
    to = statements_.room(to);
    if (i != b.threads.first || b.inlets.count != 0) to = put(to, '\n');
    to = thread_lines(to, b, i);
  }
  out_.end(put(to, "}\n"));
}

char* block_printer::inlet_lines(char* to, const code_block& b, const inlet& shown) {
  to = place(statements_.room(to), shown.where);
  to = put(to, "  inlet ", p_.name(shown.name), '(');
  for (index i = 0; i < shown.parameters.count; ++i) {
    const parameter& argument = p_.parameters[shown.parameters.first + i];
    to = statements_.room(to);
    if (i != 0) to = put(to, ", ");
    if (argument.to.is_slot()) {
      to = put(to, p_.name(p_.slots[b.slots.first + argument.to.at()].name));
      continue;
    }
    const temporary& made = p_.temporaries[shown.code.temporaries.first + argument.to.at()];
    to = spelling(put(to, p_.name(made.name), ": "), argument.type);
  }
  to = put(to, ')');
  if (shown.counter != kNone) to = put(to, " counts ", p_.name(p_.slots[shown.counter].name));
  if (shown.code.instructions.count != 0) {
    to = body_lines(put(to, " {\n"), b, shown.code);
    to = put(to, "  }");
  }
  for (index i = 0; i < shown.posts.count; ++i) {
    const std::string& name = p_.name(p_.threads[p_.posts[shown.posts.first + i]].name);
    to = statements_.room(to);
    to = i == 0 ? put(to, " post ", name) : put(to, ", ", name);
  }
  return statements_.room(put(to, '\n'));
}

char* block_printer::thread_lines(char* to, const code_block& b, index at) {
  const thread& shown = p_.threads[at];
  to = place(to, shown.where);
  const bool is_thread = at != b.entry && at != b.exit;
  to = put(to, std::string_view(is_thread ? "  thread " : "  "), p_.name(shown.name));
  if (shown.entry_count != 1) to = put(to, " count ", std::int64_t{shown.entry_count});
  if (shown.when_room) to = put(to, " when_room");
  if (shown.after_calls) to = put(to, " after_calls");
  to = body_lines(put(to, " {\n"), b, shown.code);
  return put(to, "  }\n");
}

char* block_printer::body_lines(char* to, const code_block& b, const body& shown) {
  statements_.begin(b, shown);
  for (index i = shown.instructions.first; i < shown.instructions.end(); ++i) {
    if (!statements_.is_statement(i)) continue;
    to = place(to, p_.positions[i]);
    to = statements_.statement(to, i);
  }
  return statements_.room(to);
}

std::string print(const program& p) {
  block_printer printer(p);
  for (const code_block& b : p.blocks) printer.print(b);
  return std::string(printer.text());
}

}  // namespace tl0
