// SPDX-License-Identifier: Apache-2.0
// Tokens, and what code blocks declare.
#include "languages/tam/tl0/parse/assembler.hpp"

#include <charconv>

#include "languages/support/suggestions.hpp"
#include "languages/tam/tl0/parse/parser.hpp"

namespace tl0 {

assembler::assembler(const token_list& tokens, frontend::messages& report)
    : tokens_(tokens), report_(report) {
  p_.files = tokens.files;
}

bool assembler::accept(std::string_view text) {
  if (!is(text)) return false;
  ++at_;
  return true;
}

void assembler::unexpected(std::string_view wanted) {
  const token& t = now();
  const std::string found =
      t.kind == token_kind::end ? "the end of the file" : "'" + std::string(t.text) + "'";
  error(t, "expected " + std::string(wanted) + ", and not " + found);
  throw unreadable{};
}

void assembler::too_deep() {
  --depth_;  // a constructor that throws has no destructor
  error(now(), "this nests too deeply");
  throw unreadable{};
}

void assembler::expect(std::string_view text, std::string_view where) {
  if (!accept(text)) unexpected("'" + std::string(text) + "' " + std::string(where));
}

const token& assembler::expect_name(std::string_view of_what) {
  if (now().kind != token_kind::name) unexpected("the name of " + std::string(of_what));
  return tokens_.tokens[at_++];
}

position assembler::position_of(const token& t) const {
  return t.made_from.file == 0 ? position{0, t.line} : t.made_from;
}

index assembler::name_index(std::string_view text) {
  const auto [found, is_new] =
      name_indices_.emplace(std::string(text), static_cast<index>(p_.names.size()));
  if (is_new) p_.names.emplace_back(text);
  return found->second;
}

// The names of all code blocks, before anything that may use them.
void assembler::find_blocks() {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens_.tokens.size(); ++i) {
    const token& t = tokens_.tokens[i];
    if (is(t, "{")) ++depth;
    if (is(t, "}")) depth = std::max(depth - 1, 0);
    const token& name = tokens_.tokens[i + 1];
    if (!is(t, "block") || name.kind != token_kind::name || (depth > 0 && i > 0 && t.column != 1))
      continue;
    depth = 0;  // `block` in the first column begins one, whatever braces are missing before it
    const auto made = static_cast<index>(p_.blocks.size());
    if (!blocks_.emplace(name.text, made).second) {
      error(name, "there are two code blocks '" + std::string(name.text) + "'");
      continue;
    }
    code_block added;
    added.name = name_index(name.text);
    added.where = position_of(t);
    p_.blocks.push_back(added);
    if (name.text == "main") p_.main = made;
  }
  block_names_.resize(p_.blocks.size());
}

// block = "block" NAME "{" { member } "}"
void assembler::block() {
  expect("block", "(a program is a list of code blocks)");
  const token& name = expect_name("the code block");
  block_ = blocks_.at(name.text);
  code_block& made = p_.blocks[block_];
  if (made.slots.count + made.inlets.count + made.threads.count != 0) throw unreadable{};
  made.slots.first = static_cast<index>(p_.slots.size());
  made.inlets.first = static_cast<index>(p_.inlets.size());
  made.threads.first = static_cast<index>(p_.threads.size());
  expect("{", "after the name of the code block");
  while (!is("}")) {
    if (now().kind == token_kind::end || (is("block") && now().column == 1))
      unexpected("'}' at the end of the code block");
    try {
      member();
    } catch (unreadable) {
      skip_member();
    }
  }
  ++at_;
}

// member = slots | inlet | thread | entry | exit
void assembler::member() {
  if (is("slot")) return slots();
  if (is("inlet")) return inlet_head();
  if (is("thread")) return thread_head();
  code_block& made = p_.blocks[block_];
  if (is("entry")) return quantum_thread(made.entry, "entry");
  if (is("exit")) return quantum_thread(made.exit, "exit");
  unexpected("slot, inlet, thread, entry or exit");
}

// To what begins the next member, or ends the block.
void assembler::skip_member() {
  static constexpr std::string_view kFirst[] = {"slot", "inlet", "thread", "entry", "exit"};
  int depth = 0;
  while (now().kind != token_kind::end) {
    ++at_;
    if (is("{")) ++depth;
    if (is("}") && --depth < 0) return;
    if (is("block") && now().column == 1) return;
    const bool first_in_line = tokens_.tokens[at_ - 1].line != now().line;
    for (std::string_view word : kFirst)
      if (first_in_line && is(word)) return;
  }
}

bool assembler::declare(const token& name, declared what, index at) {
  if (block_names_[block_].emplace(name.text, declaration{what, at}).second) return true;
  error(name, "'" + std::string(name.text) + "' is declared already in this code block");
  return false;
}

// slots = "slot" NAME { "," NAME } ":" type
void assembler::slots() {
  ++at_;
  std::vector<const token*> list;
  do {
    list.push_back(&expect_name("the slot"));
  } while (accept(","));
  expect(":", "and a type after the names of slots");
  const index type = type_of_tokens();
  for (const token* name : list) {
    declare(*name, declared::slot, static_cast<index>(p_.slots.size()));
    p_.slots.push_back({name_index(name->text), type, position_of(*name)});
    ++p_.blocks[block_].slots.count;
  }
}

// inlet     = "inlet" NAME "(" [ parameter { "," parameter } ] ")" [ "counts" NAME ]
//             [ body ] [ "post" NAME { "," NAME } ]
// parameter = NAME [ ":" type ]
// Here as far as the parenthesis; inlet_tail reads on when all slots and threads are known.
void assembler::inlet_head() {
  const token& start = now();
  ++at_;
  const token& name = expect_name("the inlet");
  inlet made;
  made.name = name_index(name.text);
  made.block = block_;
  made.where = position_of(start);
  made.parameters.first = static_cast<index>(p_.parameters.size());
  expect("(", "and the arguments after the name of the inlet");
  while (!is(")")) {
    const token& parameter = expect_name("an argument");
    const index type = accept(":") ? type_of_tokens() : kNone;
    p_.parameters.push_back({{}, type});
    parameter_names_.push_back(&parameter);
    ++made.parameters.count;
    if (!is(")")) expect(",", "between arguments");
  }
  ++at_;
  if (made.parameters.count > kWordsMax)
    error(name,
          "an inlet takes at most 4 arguments, as a message carries at most 4 words; the "
          "others go to another inlet");
  if (p_.blocks[block_].inlets.count == kInletsMax)
    error(name, "a code block has at most 4096 inlets");
  const auto added = static_cast<index>(p_.inlets.size());
  declare(name, declared::inlet, added);
  p_.inlets.push_back(made);
  ++p_.blocks[block_].inlets.count;
  waiting_.push_back({at_, added, true});
  if (accept("counts")) expect_name("the slot that counts");
  if (accept("{")) skip_body(kNone, true);
  if (accept("post")) do {
      expect_name("a thread");
    } while (accept(","));
}

// thread = "thread" NAME [ "count" INTEGER ] [ "when_room" | "after_calls" ] body
void assembler::thread_head() {
  const token& start = now();
  ++at_;
  const token& name = expect_name("the thread");
  thread made;
  made.name = name_index(name.text);
  made.block = block_;
  made.where = position_of(start);
  if (name.text == "none") error(name, "a thread cannot be named 'none': switch has this word");
  if (accept("count")) {
    const token& number = now();
    if (number.kind != token_kind::integer) unexpected("the entry count");
    const auto end = number.text.data() + number.text.size();
    const auto read = std::from_chars(number.text.data(), end, made.entry_count);
    if (read.ec != std::errc{} || read.ptr != end || made.entry_count == 0)
      error(number, "an entry count is a number from 1 to 4294967295");
    ++at_;
  }
  made.when_room = accept("when_room");
  made.after_calls = !made.when_room && accept("after_calls");
  const auto added = static_cast<index>(p_.threads.size());
  declare(name, declared::thread, added);
  p_.threads.push_back(made);
  ++p_.blocks[block_].threads.count;
  expect("{", "before the instructions of the thread");
  skip_body(added, false);
}

// entry = "entry" body
// exit  = "exit" body
void assembler::quantum_thread(index& of_block, const char* name) {
  if (of_block != kNone) error(now(), "this code block has two of '" + std::string(name) + "'");
  thread made;
  made.name = name_index(name);
  made.block = block_;
  made.where = position_of(now());
  of_block = static_cast<index>(p_.threads.size());
  const index added = of_block;
  p_.threads.push_back(made);
  ++p_.blocks[block_].threads.count;
  ++at_;
  expect("{", "before the instructions");
  skip_body(added, false);
}

// Past the closing brace; the instructions are read when everything is declared.
void assembler::skip_body(index owner, bool is_inlet) {
  if (!is_inlet) waiting_.push_back({at_, owner, false});
  int depth = 1;
  for (; depth > 0; ++at_) {
    if (now().kind == token_kind::end || (is("block") && now().column == 1))
      unexpected("'}' at the end of the instructions");
    if (is("{")) ++depth;
    if (is("}")) --depth;
  }
}

// type = "int" | "float" | "bool" | "word" | "frame" NAME | "inlet" types | "code" types
//      | "istructure" "(" type ")" | "mstructure" "(" type ")"
index assembler::type_of_tokens() {
  const nesting inside(*this);
  static constexpr std::pair<std::string_view, kind> kSimple[] = {
      {"int", kind::integer}, {"float", kind::real}, {"bool", kind::boolean}, {"word", kind::word}};
  for (const auto& [word, is_kind] : kSimple)
    if (accept(word)) return simple(is_kind);
  if (accept("frame")) return frame_type();
  if (accept("inlet")) return p_.type_index({kind::inlet, kNone, types_in_parentheses()});
  if (accept("code")) return p_.type_index({kind::code, kNone, types_in_parentheses()});
  for (const kind k : {kind::istructure, kind::mstructure}) {
    if (!accept(k == kind::istructure ? "istructure" : "mstructure")) continue;
    expect("(", "and the type of the elements");
    const index of = type_of_tokens();
    expect(")", "after the type of the elements");
    return p_.type_index({k, of, {}});
  }
  unexpected("a type");
}

// Where there is no such code block, that has been said: the type is known as one of none.
index assembler::frame_type() {
  const token& name = expect_name("a code block");
  index of = kNone;
  try {
    of = block_named(name);
  } catch (unreadable) {
  }
  return p_.type_index({kind::frame, of, {}});
}

// types = "(" [ type { "," type } ] ")"
std::vector<index> assembler::types_in_parentheses() {
  std::vector<index> list;
  expect("(", "and the types of what it takes");
  while (!is(")")) {
    list.push_back(type_of_tokens());
    if (!is(")")) expect(",", "between types");
  }
  ++at_;
  return list;
}

// program = { block }
program assembler::run() {
  find_blocks();
  while (now().kind != token_kind::end) {
    try {
      block();
    } catch (unreadable) {
      if (now().kind != token_kind::end && is("block")) ++at_;
      while (now().kind != token_kind::end && !(is("block") && now().column == 1)) ++at_;
    }
  }
  bodies();
  check_main();
  return std::move(p_);
}

std::optional<program> assemble(const token_list& tokens, frontend::messages& report) {
  const int before = report.errors();
  program made = assembler(tokens, report).run();
  if (report.errors() != before) return std::nullopt;
  return made;
}

}  // namespace tl0
