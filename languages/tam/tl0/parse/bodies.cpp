// SPDX-License-Identifier: Apache-2.0
// What is read when all declarations are known: names that they use, and instructions.
#include <algorithm>
#include <tuple>

#include "languages/support/suggestions.hpp"
#include "languages/tam/tl0/parse/assembler.hpp"

namespace tl0 {

const declaration* assembler::find(std::string_view name) const {
  const auto found = block_names_[block_].find(name);
  return found == block_names_[block_].end() ? nullptr : &found->second;
}

index assembler::block_named(const token& name) {
  const auto found = blocks_.find(name.text);
  if (found != blocks_.end()) return found->second;
  std::vector<std::string_view> known;
  for (const auto& [text, at] : blocks_) known.push_back(text);
  std::sort(known.begin(), known.end());
  const std::string_view meant = frontend::nearest(name.text, known);
  error(name, "there is no code block '" + std::string(name.text) + "'" +
                  (meant.empty() ? "" : "; did you mean '" + std::string(meant) + "'?"));
  throw unreadable{};
}

index assembler::thread_named(const token& name) {
  const declaration* found = find(name.text);
  if (found && found->is == declared::thread) return found->at;
  std::vector<std::string_view> known;
  for (const auto& [text, what] : block_names_[block_])
    if (what.is == declared::thread) known.push_back(text);
  std::sort(known.begin(), known.end());
  const std::string_view meant = frontend::nearest(name.text, known);
  error(name, (found ? "'" + std::string(name.text) + "' is not a thread"
                     : "there is no thread '" + std::string(name.text) + "' in this code block") +
                  (meant.empty() ? "" : "; did you mean '" + std::string(meant) + "'?"));
  return kNone;
}

// The arguments first, of all inlets: bodies send to any of them.
void assembler::bodies() {
  for (inlet& of : p_.inlets) {
    block_ = of.block;
    for (index i = of.parameters.first; i < of.parameters.end(); ++i) {
      parameter& argument = p_.parameters[i];
      const token& name = *parameter_names_[i];
      const declaration* found = find(name.text);
      if (argument.type != kNone) {
        if (found)
          error(name, "'" + std::string(name.text) + "' is declared already in this code block; " +
                          "an argument with a type of its own has a name of its own");
        continue;
      }
      if (!found || found->is != declared::slot) {
        error(name, "'" + std::string(name.text) + "' is not a slot of this code block; an " +
                        "argument is a slot's name, or a name and a type");
        argument.type = simple(kind::word);
        continue;
      }
      argument.to = operand::in(space::slot, found->at - p_.blocks[block_].slots.first);
      argument.type = p_.slots[found->at].type;
    }
  }
  // In the order of the canonical form.
  const auto order = [&](const body_tokens& of) {
    const index block = of.is_inlet ? p_.inlets[of.owner].block : p_.threads[of.owner].block;
    return std::tuple(block, !of.is_inlet, of.owner);
  };
  std::sort(waiting_.begin(), waiting_.end(),
            [&](const body_tokens& a, const body_tokens& b) { return order(a) < order(b); });
  for (const body_tokens& of : waiting_) {
    at_ = of.first;
    block_ = of.is_inlet ? p_.inlets[of.owner].block : p_.threads[of.owner].block;
    in_inlet_ = of.is_inlet;
    temporaries_.clear();
    try {
      if (of.is_inlet) {
        inlet_tail(of);
      } else {
        const code_block& block = p_.blocks[block_];
        is_quantum_thread_ = of.owner == block.entry || of.owner == block.exit;
        read_body(of, p_.threads[of.owner].code);
        is_quantum_thread_ = false;
      }
    } catch (unreadable) {
      is_quantum_thread_ = false;
    }
  }
}

// The rest of an inlet's production.
void assembler::inlet_tail(const body_tokens& of) {
  inlet& made = p_.inlets[of.owner];
  body code;
  code.temporaries.first = static_cast<index>(p_.temporaries.size());
  for (index i = made.parameters.first; i < made.parameters.end(); ++i) {
    parameter& argument = p_.parameters[i];
    if (!argument.to.is_none()) continue;
    const token& name = *parameter_names_[i];
    argument.to = operand::in(space::temporary, code.temporaries.count);
    if (!temporaries_.emplace(name.text, code.temporaries.count).second)
      error(name, "there are two arguments '" + std::string(name.text) + "'");
    p_.temporaries.push_back({name_index(name.text), argument.type});
    ++code.temporaries.count;
  }
  if (accept("counts")) {
    const token& name = expect_name("the slot that counts");
    const declaration* found = find(name.text);
    if (!found || found->is != declared::slot ||
        p_.types[p_.slots[found->at].type].is != kind::integer)
      error(name,
            "'" + std::string(name.text) + "' is not a slot of type int: an inlet counts in one");
    else
      made.counter = found->at;
  }
  made.code = code;
  if (accept("{")) {
    read_body({at_, of.owner, true}, made.code);
  } else {
    made.code.instructions.first = static_cast<index>(p_.instructions.size());
  }
  made.posts.first = static_cast<index>(p_.posts.size());
  if (accept("post")) do {
      const token& name = expect_name("a thread");
      const index posted = thread_named(name);
      if (posted == kNone) continue;
      p_.posts.push_back(posted);
      ++made.posts.count;
    } while (accept(","));
}

// body = "{" { statement } "}"
void assembler::read_body(const body_tokens& of, body& code) {
  body_ = &code;
  ended_ = false;
  code.instructions.first = static_cast<index>(p_.instructions.size());
  if (!of.is_inlet) code.temporaries.first = static_cast<index>(p_.temporaries.size());
  while (!is("}")) {
    if (now().kind == token_kind::end) unexpected("'}' at the end of the instructions");
    if (ended_) {
      error(now(), "this is never executed: stop and fail end the thread");
      ended_ = false;
    }
    const std::size_t start = at_;
    try {
      statement();
    } catch (unreadable) {
      // What is left of the line belongs to it.
      if (at_ == start && !is("}")) ++at_;
      const std::uint32_t line = tokens_.tokens[at_ - 1].line;
      while (now().kind != token_kind::end && !is("}") && now().line == line) ++at_;
    }
  }
  if (!of.is_inlet && !ended_) emit({}, now());
  ++at_;
  code.instructions.count = static_cast<index>(p_.instructions.size()) - code.instructions.first;
}

void assembler::check_main() {
  if (p_.main == kNone) {
    report_.error({.file = tokens_.files[0], .source = {}},
                  "there is no code block 'main', with which a program begins");
    return;
  }
  const inlet* args = p_.find_inlet(p_.main, kMainInlet);
  if (!args) {
    report_.error({.file = tokens_.files[0], .source = {}},
                  "the code block 'main' has no inlet 'args', which the words of the command line "
                  "are sent to");
    return;
  }
  for (index i = args->parameters.first; i < args->parameters.end(); ++i) {
    const index type = p_.parameters[i].type;
    const kind k = p_.types[type].is;
    if (k == kind::integer || k == kind::real || k == kind::boolean) continue;
    error(*parameter_names_[i], "no word of the command line can be of type " + said(type) +
                                    ": the inlet 'args' of 'main' takes int, float and bool");
  }
}

}  // namespace tl0
