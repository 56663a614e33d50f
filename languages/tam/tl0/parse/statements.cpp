// SPDX-License-Identifier: Apache-2.0
// Statements: one production each.
#include <array>
#include <limits>

#include "languages/support/suggestions.hpp"
#include "languages/tam/tl0/parse/assembler.hpp"

namespace tl0 {

instruction& assembler::emit(instruction made, const token& at) {
  p_.instructions.push_back(made);
  p_.positions.push_back(position_of(at));
  return p_.instructions.back();
}

// statement = assignment | fork | again | switch | "stop" | send | falloc_at | spawn | "ffree"
//           | structure | length | print | require | fail
// assignment = NAME "=" ( expression | falloc | alloc )
void assembler::statement() {
  if ((now().kind == token_kind::name || now().kind == token_kind::hidden) && is(after(), "="))
    return assignment();
  if (only_in_threads(now())) return effect();
  throw unreadable{};
}

// In inlets and in the threads that begin and end a quantum nothing but values is computed.
bool assembler::only_in_threads(const token& at) {
  if (!in_inlet_ && (!is_quantum_thread_ || is(at, "stop"))) return true;
  error(at, std::string(in_inlet_ ? "an inlet" : "the thread that begins or ends a quantum") +
                " holds assignments of values only, and '" + std::string(at.text) +
                "' is a matter of threads");
  return false;
}

void assembler::effect() {
  const token& word = now();
  if (is("fork")) return fork_statement();
  if (is("again")) return again_statement();
  if (is("switch")) return switch_statement();
  if (is("send")) return send_statement();
  if (is("falloc")) return falloc_statement();
  if (is("spawn")) return spawn_statement();
  if (is("length")) return length_statement();
  if (is("print")) return print_statement(opcode::print);
  if (is("write")) return print_statement(opcode::write);
  if (is("require")) return require_statement();
  if (is("fail")) return fail_statement();
  if (accept("stop")) {
    emit({}, word);
    ended_ = true;
    return;
  }
  if (accept("ffree")) {
    emit({.op = opcode::ffree}, word);
    return;
  }
  for (const opcode op : {opcode::ifetch, opcode::istore, opcode::mtake, opcode::mput}) {
    static constexpr std::array<std::string_view, 4> kWords{"ifetch", "istore", "mtake", "mput"};
    const auto which = static_cast<std::size_t>(op) - static_cast<std::size_t>(opcode::ifetch);
    if (is(kWords[which])) return structure_statement(op);
  }
  unexpected("an instruction");
}

void assembler::assignment() {
  const token& name = now();
  at_ += 2;
  value what;
  if (is("falloc") || is("ialloc") || is("malloc")) {
    if (!only_in_threads(now())) throw unreadable{};
    what =
        is("falloc") ? falloc_value() : alloc_value(is("ialloc") ? opcode::ialloc : opcode::malloc);
  } else {
    what = expression();
  }
  store(name, what);
}

// Into a slot, or a temporary that is new. The last instruction gets the name of what it computes,
// unless there was none to compute it.
void assembler::store(const token& name, value what) {
  const declaration* found = name.kind == token_kind::name ? find(name.text) : nullptr;
  if (found && found->is != declared::slot) {
    error(name, "'" + std::string(name.text) + "' is not a slot, so it has no value");
    return;
  }
  operand to;
  if (found) {
    const index type = p_.slots[found->at].type;
    to = operand::in(space::slot, found->at - p_.blocks[block_].slots.first);
    if (what.type == kNone || is_of_no_block(type)) return;
    if (what.type != type) {
      error(*what.first, "the slot '" + std::string(name.text) + "' is of type " + said(type) +
                             ", and this of type " + said(what.type));
      return;
    }
  } else if (temporaries_.contains(name.text)) {
    error(name, "the temporary '" + std::string(name.text) + "' has a value already");
    return;
  }
  const bool is_computed = what.is_new && p_.instructions.back().to == what.from;
  if (found) {
    if (!is_computed) {
      emit({.op = opcode::move, .to = to, .a = what.from}, name);
    } else {
      p_.instructions.back().to = to;
      p_.temporaries.pop_back();
      --body_->temporaries.count;
    }
    return;
  }
  if (!is_computed) {
    const operand copied = what.from;
    what = emit_value({.op = opcode::move, .a = copied}, what.type);
    p_.positions.back() = position_of(name);
  }
  temporaries_.emplace(name.text, what.from.at());
  if (name.kind == token_kind::name)
    p_.temporaries[body_->temporaries.first + what.from.at()].name = name_index(name.text);
}

// fork = "fork" NAME { "," NAME }
void assembler::fork_statement() {
  ++at_;
  do {
    const token& name = expect_name("a thread");
    emit({.op = opcode::fork, .target = thread_named(name)}, name);
  } while (accept(","));
}

// again = "again" NAME
void assembler::again_statement() {
  ++at_;
  const token& name = expect_name("the thread that is the head of the loop");
  emit({.op = opcode::again, .target = thread_named(name)}, name);
}

index assembler::thread_or_none() {
  const token& name = expect_name("a thread, or none");
  return name.text == "none" ? kNone : thread_named(name);
}

// switch = "switch" expression "?" target ":" target
// target = NAME | "none"
void assembler::switch_statement() {
  const token& word = now();
  ++at_;
  const value condition = expression();
  if (condition.type != kNone && kind_of_value(condition) != kind::boolean)
    error(*condition.first, "switch goes by a bool, and this is of type " + said(condition.type));
  expect("?", "and the threads after the condition");
  instruction made{.op = opcode::choose_thread, .a = condition.from};
  made.target = thread_or_none();
  expect(":", "and the thread of the other outcome");
  made.other = thread_or_none();
  if (made.target == kNone && made.other == kNone && report_.errors() == 0)
    error(word, "this switch gives no thread an entry");
  emit(made, word);
}

// arguments = "(" [ expression { "," expression } ] ")"
std::vector<value> assembler::arguments() {
  std::vector<value> list;
  expect("(", "and the arguments");
  while (!is(")")) {
    list.push_back(expression());
    if (!is(")")) expect(",", "between arguments");
  }
  ++at_;
  return list;
}

index assembler::argument_list(const std::vector<value>& values) {
  const auto first = static_cast<index>(p_.arguments.size());
  for (const value& v : values) p_.arguments.push_back(v.from);
  return first;
}

std::vector<index> assembler::parameter_types(const inlet& of) const {
  std::vector<index> types;
  for (index i = of.parameters.first; i < of.parameters.end(); ++i)
    types.push_back(p_.parameters[i].type);
  return types;
}

void assembler::check_arguments(const token& at, const std::string& of,
                                const std::vector<index>& wanted, const std::vector<value>& given) {
  if (wanted.size() != given.size()) {
    error(at, of + " takes " + std::to_string(wanted.size()) + " argument" +
                  (wanted.size() == 1 ? "" : "s") + ", and gets " + std::to_string(given.size()));
    return;
  }
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].type != kNone && given[i].type != wanted[i])
      error(*given[i].first, "argument " + std::to_string(i + 1) + " of " + of + " is of type " +
                                 said(wanted[i]) + ", and this of type " + said(given[i].type));
}

// send = "send" primary [ "." NAME ] arguments
void assembler::send_statement() {
  const token& word = now();
  ++at_;
  const token& first = now();
  const value to = is("self") || now().kind != token_kind::name ? primary() : named_value();
  instruction made{.op = opcode::send, .a = to.from};
  std::vector<index> wanted;
  std::string of = "the inlet";
  if (accept(".")) {
    const token& name = expect_name("an inlet");
    if (to.type == kNone) throw unreadable{};
    if (kind_of_value(to) != kind::frame) {
      error(first, "what has inlets is a frame, and this is of type " + said(to.type));
      throw unreadable{};
    }
    if (is_of_no_block(to.type)) throw unreadable{};
    const index block = p_.types[to.type].of;
    const inlet* found = p_.find_inlet(block, name.text);
    if (!found) {
      std::vector<std::string_view> known;
      const range all = p_.blocks[block].inlets;
      for (index i = all.first; i < all.end(); ++i) known.push_back(p_.name(p_.inlets[i].name));
      const std::string_view meant = frontend::nearest(name.text, known);
      error(name, "the code block '" + p_.name(p_.blocks[block].name) + "' has no inlet '" +
                      std::string(name.text) + "'" +
                      (meant.empty() ? "" : "; did you mean '" + std::string(meant) + "'?"));
      throw unreadable{};
    }
    made.target = static_cast<index>(found - p_.inlets.data());
    wanted = parameter_types(*found);
    of += " '" + std::string(name.text) + "'";
  } else if (to.type != kNone && kind_of_value(to) != kind::inlet) {
    error(first, "a message goes to an inlet, and this is of type " + said(to.type));
    throw unreadable{};
  } else if (to.type != kNone) {
    wanted = p_.types[to.type].arguments;
  }
  const std::vector<value> given = arguments();
  if (to.type != kNone) check_arguments(first, of, wanted, given);
  made.first_argument = argument_list(given);
  made.argument_count = static_cast<std::uint16_t>(given.size());
  emit(made, word);
}

// activated = NAME | "(" expression ")": a code block, or a value of type code
// The type: of a code block's name its frame, of code the first inlet of a frame.
index assembler::activated(instruction& made, std::vector<index>& taken) {
  const bool is_value = now().kind != token_kind::name || temporaries_.contains(now().text) ||
                        (find(now().text) && find(now().text)->is == declared::slot);
  if (!is_value) {
    made.target = block_named(tokens_.tokens[at_++]);
    const range inlets = p_.blocks[made.target].inlets;
    if (inlets.count != 0) taken = parameter_types(p_.inlets[inlets.first]);
    return p_.type_index({kind::frame, made.target, {}});
  }
  const token& first = now();
  const value code = is("(") ? primary() : named_value();
  if (code.type == kNone || kind_of_value(code) != kind::code) {
    error(first, "an activation is of a code block, and this is of type " + said(code.type));
    throw unreadable{};
  }
  made.a = code.from;
  taken = p_.types[code.type].arguments;
  return p_.type_index({kind::inlet, kNone, taken});
}

// falloc = "falloc" activated
value assembler::falloc_value() {
  const token& word = now();
  ++at_;
  instruction made{.op = opcode::falloc};
  std::vector<index> taken;
  const index type = activated(made, taken);
  value result = emit_value(made, type);
  p_.positions.back() = position_of(word);
  result.first = &word;
  return result;
}

// falloc_at = "falloc" activated [ placement ] "->" inlet, where a rank is known
void assembler::falloc_statement() {
  const token& word = now();
  ++at_;
  instruction made{.op = opcode::falloc_at};
  std::vector<index> taken;
  const index type = activated(made, taken);
  place_of_activation(made);
  if (made.place == placement::least_loaded)
    error(word, "least_loaded is for spawn: an idle rank gets the arguments, too");
  if (!is("->")) unexpected("'->' and the inlet that the name of the activation goes to");
  made.other = answered(made, type, word);
  emit(made, word);
}

// spawn = "spawn" activated arguments [ placement [ "in_turn" ] ], of "round_robin" and "at"
void assembler::spawn_statement() {
  const token& word = now();
  ++at_;
  const token& name = now();
  instruction made{.op = opcode::spawn};
  std::vector<index> taken;
  activated(made, taken);
  if (made.target != kNone && p_.blocks[made.target].inlets.count == 0) {
    error(name, "the code block '" + std::string(name.text) + "' has no inlet");
    throw unreadable{};
  }
  const std::vector<value> given = arguments();
  check_arguments(name, "the first inlet of '" + std::string(name.text) + "'", taken, given);
  place_of_activation(made);
  const bool can_wait = made.place == placement::round_robin || made.place == placement::at;
  if (is("in_turn") && !is(after(), "=")) {
    if (!can_wait) error(now(), "in_turn is for spawn at a rank and round_robin");
    ++at_;
    if (can_wait)
      made.place =
          made.place == placement::at ? placement::at_in_turn : placement::round_robin_in_turn;
  }
  made.first_argument = argument_list(given);
  made.argument_count = static_cast<std::uint16_t>(given.size());
  emit(made, word);
}

// placement = "local" | "round_robin" | "least_loaded" | "at" expression | "by" expression
void assembler::place_of_activation(instruction& made) {
  static constexpr std::pair<std::string_view, placement> kPlaces[] = {
      {"local", placement::local},
      {"round_robin", placement::round_robin},
      {"least_loaded", placement::least_loaded},
      {"at", placement::at},
      {"by", placement::by}};
  if (is(after(), "=")) return;  // a name of the program's own, in the next statement
  for (const auto& [word, place] : kPlaces) {
    if (!accept(word)) continue;
    made.place = place;
    if (place != placement::at && place != placement::by) return;
    const value by = expression();
    if (by.type != kNone && kind_of_value(by) != kind::integer)
      error(*by.first, "a rank and a key are of type int, and this is of type " + said(by.type));
    made.b = by.from;
    return;
  }
}

// answer = "->" ( NAME | primary ): an inlet of this activation, or a value of type inlet, which is
// added to the arguments. What is returned is the former.
index assembler::answered(instruction& made, index type, const token& word) {
  expect("->", "and the inlet that the answer goes to");
  const declaration* own = now().kind == token_kind::name ? find(now().text) : nullptr;
  if (own && own->is == declared::inlet) {
    const std::vector<index> takes = parameter_types(p_.inlets[own->at]);
    if (type != kNone && takes != std::vector<index>{type})
      error(now(), "the inlet '" + std::string(now().text) + "' does not take what " +
                       std::string(word.text) + " answers, one argument of type " + said(type));
    ++at_;
    return own->at;
  }
  const value to = primary();
  if (type != kNone && to.type != kNone && to.type != p_.type_index({kind::inlet, kNone, {type}}))
    error(*to.first,
          "the answer goes to an inlet(" + said(type) + "), and this is of type " + said(to.type));
  made.first_argument = argument_list({to});
  made.argument_count = 1;
  return kNone;
}

// length = "length" primary answer
void assembler::length_statement() {
  const token& word = now();
  ++at_;
  const value array = primary();
  if (array.type != kNone && kind_of_value(array) != kind::istructure &&
      kind_of_value(array) != kind::mstructure) {
    error(*array.first,
          "what has a length is a structure, and this is of type " + said(array.type));
    throw unreadable{};
  }
  instruction made{.op = opcode::length, .a = array.from};
  made.target = answered(made, simple(kind::integer), word);
  emit(made, word);
}

// structure = ( "ifetch" | "mtake" ) element answer
//           | ( "istore" | "mput" ) element "=" expression
// element   = primary "[" expression "]"
void assembler::structure_statement(opcode op) {
  const token& word = now();
  ++at_;
  const bool is_i = op == opcode::ifetch || op == opcode::istore;
  const value array = primary();
  if (array.type != kNone && kind_of_value(array) != (is_i ? kind::istructure : kind::mstructure)) {
    error(*array.first, std::string(word.text) + " is of " +
                            (is_i ? "an istructure" : "an mstructure") + ", and this is of type " +
                            said(array.type));
    throw unreadable{};
  }
  expect("[", "and the index of the element");
  const value at = expression();
  if (at.type != kNone && kind_of_value(at) != kind::integer)
    error(*at.first, "an index is an int, and this is of type " + said(at.type));
  expect("]", "after the index");
  const index of = array.type == kNone ? kNone : p_.types[array.type].of;
  instruction made{.op = op, .a = array.from, .b = at.from};
  if (op == opcode::ifetch || op == opcode::mtake) {
    made.target = answered(made, of, word);
  } else {
    expect("=", "and the element's value");
    const value stored = expression();
    if (of != kNone && stored.type != kNone && stored.type != of)
      error(*stored.first,
            "the element is of type " + said(of) + ", and this of type " + said(stored.type));
    made.first_argument = argument_list({stored});
    made.argument_count = 1;
  }
  emit(made, word);
}

// item = STRING | expression
std::vector<value> assembler::items() {
  std::vector<value> list;
  do {
    if (now().kind == token_kind::string) {
      const std::string text(now().text.substr(1, now().text.size() - 2));
      const auto [found, is_new] =
          string_indices_.emplace(text, static_cast<index>(p_.strings.size()));
      if (is_new) p_.strings.push_back(text);
      list.push_back({operand::in(space::string, found->second), kNone, &now()});
      ++at_;
      continue;
    }
    list.push_back(expression());
    if (list.back().type == kNone) continue;
    const kind k = kind_of_value(list.back());
    if (k != kind::integer && k != kind::real && k != kind::boolean)
      error(*list.back().first,
            "what is printed is a string, int, float or bool, and this is of type " +
                said(list.back().type));
  } while (accept(","));
  return list;
}

// print = ( "print" | "write" ) item { "," item }
void assembler::print_statement(opcode op) {
  const token& word = now();
  ++at_;
  const std::vector<value> list = items();
  if (list.size() > std::numeric_limits<std::uint16_t>::max()) error(word, "too many items");
  instruction made{.op = op};
  made.first_argument = argument_list(list);
  made.argument_count = static_cast<std::uint16_t>(list.size());
  emit(made, word);
}

// require = "require" expression "else" item { "," item }
void assembler::require_statement() {
  const token& word = now();
  ++at_;
  const value condition = expression();
  if (condition.type != kNone && kind_of_value(condition) != kind::boolean)
    error(*condition.first,
          "what is required is a bool, and this is of type " + said(condition.type));
  expect("else", "and what is said where it does not hold");
  const std::vector<value> list = items();
  if (list.size() > std::numeric_limits<std::uint16_t>::max()) error(word, "too many items");
  instruction made{.op = opcode::require, .a = condition.from};
  made.first_argument = argument_list(list);
  made.argument_count = static_cast<std::uint16_t>(list.size());
  emit(made, word);
}

// fail = "fail" STRING
void assembler::fail_statement() {
  const token& word = now();
  ++at_;
  if (now().kind != token_kind::string) unexpected("a string");
  const std::string text(now().text.substr(1, now().text.size() - 2));
  ++at_;
  const auto [found, is_new] = string_indices_.emplace(text, static_cast<index>(p_.strings.size()));
  if (is_new) p_.strings.push_back(text);
  emit({.op = opcode::fail, .a = operand::in(space::string, found->second)}, word);
  emit({}, word);
  ended_ = true;
}

}  // namespace tl0
