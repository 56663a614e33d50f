// SPDX-License-Identifier: Apache-2.0
#include "tl0/print/body_text.hpp"

#include <array>
#include <bit>
#include <charconv>

#include "tl0/program/precedence.hpp"

namespace tl0 {
namespace {

constexpr int kAlone = kPostfix + 1;

std::string float_text(double number) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
  std::string words(text.data(), end.ptr);
  if (words.find_first_of(".e") == std::string::npos) words += ".0";
  return words;
}

}  // namespace

body_text::body_text(const program& p, const code_block& block, const body& of)
    : p_(p),
      block_(block),
      body_(of),
      is_part_(of.temporaries.count),
      parts_(of.temporaries.count) {
  find_parts();
}

std::vector<operand> body_text::operands_of(const instruction& i) const {
  std::vector<operand> list;
  if (!i.a.is_none()) list.push_back(i.a);
  const bool is_b_last = i.op == opcode::spawn;
  if (!i.b.is_none() && !is_b_last) list.push_back(i.b);
  for (unsigned k = 0; k < i.argument_count; ++k)
    list.push_back(p_.arguments[i.first_argument + k]);
  if (!i.b.is_none() && is_b_last) list.push_back(i.b);
  return list;
}

bool body_text::can_be_part(const instruction& i, index) const {
  return is_value(i.op) && i.op != opcode::move && i.to.is_temporary() &&
         p_.temporaries[body_.temporaries.first + i.to.at()].name == kNone;
}

// A temporary without a name is a part if it is used once, and all parts come right before what
// uses them, in the order of its operands: so the assembler makes them.
void body_text::find_parts() {
  std::vector<unsigned> uses(body_.temporaries.count);
  const range all = body_.instructions;
  for (index at = all.first; at < all.end(); ++at)
    for (const operand o : operands_of(p_.instructions[at]))
      if (o.is_temporary()) ++uses[o.at()];
  for (index at = all.first; at < all.end(); ++at) {
    const instruction& i = p_.instructions[at];
    if (can_be_part(i, at) && uses[i.to.at()] == 1) is_part_[i.to.at()] = true;
  }
  while (drop_wrong_parts()) {
  }
}

bool body_text::drop_wrong_parts() {
  std::vector<std::pair<index, index>> waiting;  // temporaries, and the instructions that make them
  bool dropped = false;
  const range all = body_.instructions;
  for (index at = all.first; at < all.end(); ++at) {
    const instruction& i = p_.instructions[at];
    const auto list = operands_of(i);
    const auto drop = [&](index t) {
      is_part_[t] = false;
      dropped = true;
    };
    for (auto o = list.rbegin(); o != list.rend(); ++o) {
      if (!o->is_temporary() || !is_part_[o->at()]) continue;
      const bool is_next = !waiting.empty() && waiting.back().first == o->at();
      const bool same_place =
          is_next && p_.positions[waiting.back().second].file == p_.positions[at].file &&
          (p_.positions[at].file == 0 || p_.positions[waiting.back().second] == p_.positions[at]);
      if (!same_place || i.op == opcode::move) drop(o->at());
      if (is_next) waiting.pop_back();
    }
    if (is_value(i.op) && i.to.is_temporary() && is_part_[i.to.at()]) {
      waiting.emplace_back(i.to.at(), at);
      continue;
    }
    for (const auto& [t, made] : waiting) drop(t);
    waiting.clear();
  }
  return dropped;
}

std::string body_text::name_of(operand o) const {
  if (o.where() == space::slot) return p_.name(p_.slots[block_.slots.first + o.at()].name);
  const index name = p_.temporaries[body_.temporaries.first + o.at()].name;
  return name == kNone ? "$" + std::to_string(o.at()) : p_.name(name);
}

std::string body_text::constant_text(index c) const {
  const std::uint64_t word = p_.constants[c];
  switch (p_.types[p_.constant_types[c]].is) {
    case kind::real:
      return float_text(std::bit_cast<double>(word));
    case kind::boolean:
      return word != 0 ? "true" : "false";
    case kind::code:
      return "code " + p_.name(p_.blocks[word].name);
    default:
      return std::to_string(static_cast<std::int64_t>(word));
  }
}

body_text::text body_text::operand_text(operand o) {
  switch (o.where()) {
    case space::string:
      return {"\"" + p_.strings[o.at()] + "\"", kAlone};
    case space::constant: {
      std::string words = constant_text(o.at());
      const int binds = words.front() == '-' ? kPrefix : kAlone;
      return {std::move(words), binds};
    }
    case space::temporary:
      if (is_part_[o.at()]) return parts_[o.at()];
      return {name_of(o), kAlone};
    case space::slot:
      break;
  }
  return {name_of(o), kAlone};
}

std::string body_text::in(operand o, int binds) {
  const text t = operand_text(o);
  return t.binds >= binds ? t.words : "(" + t.words + ")";
}

std::string body_text::arguments(const instruction& i) {
  std::string words;
  for (unsigned k = 0; k < i.argument_count; ++k)
    words += (k == 0 ? "" : ", ") + in(p_.arguments[i.first_argument + k], 0);
  return words;
}

body_text::text body_text::operation_text(const instruction& i) {
  const operation& about = operation_of(i.op);
  const std::string spelt(about.spelling);
  if (about.written == form::call)
    return {spelt + "(" + in(i.a, 0) + (i.b.is_none() ? "" : ", " + in(i.b, 0)) + ")", kAlone};
  if (about.written == form::prefix) {
    if (spelt == "not") return {"not " + in(i.a, kComparison), kComparison};
    const bool is_literal = i.a.where() == space::constant;
    return {spelt + in(i.a, is_literal ? kAlone + 1 : kPrefix), kPrefix};
  }
  const int level = precedence_of_infix(spelt);
  const int left = level == kComparison ? level + 1 : level;
  return {in(i.a, left) + " " + spelt + " " + in(i.b, level + 1), level};
}

std::string body_text::activated(const instruction& i) {
  if (i.target != kNone) return p_.name(p_.blocks[i.target].name);
  const text t = operand_text(i.a);
  return i.a.where() == space::constant || t.binds < kAlone ||
                 (i.a.is_temporary() && is_part_[i.a.at()])
             ? "(" + t.words + ")"
             : t.words;
}

std::string body_text::place_text(const instruction& i) {
  switch (i.place) {
    case placement::local:
      return "";
    case placement::round_robin:
      return " round_robin";
    case placement::least_loaded:
      return " least_loaded";
    case placement::at:
      return " at " + in(i.b, 0);
    case placement::by:
      return " by " + in(i.b, 0);
  }
  return "";
}

body_text::text body_text::value_text(const instruction& i) {
  if (is_operation(i.op)) return operation_text(i);
  switch (i.op) {
    case opcode::move:
      return operand_text(i.a);
    case opcode::retype: {
      const index type = i.to.is_slot() ? p_.slots[block_.slots.first + i.to.at()].type
                                        : p_.temporaries[body_.temporaries.first + i.to.at()].type;
      return {in(i.a, kPostfix) + " as " + spelling(p_, type), kPostfix};
    }
    case opcode::own_frame:
      return {"self", kAlone};
    case opcode::own_inlet:
      return {p_.name(p_.inlets[i.target].name), kAlone};
    case opcode::rank:
      return {"rank", kAlone};
    case opcode::rank_count:
      return {"ranks", kAlone};
    case opcode::room:
      return {"room()", kAlone};
    case opcode::owner:
      return {"owner(" + in(i.a, 0) + ", " + in(i.b, 0) + ")", kAlone};
    case opcode::choose:
      return {"choose(" + in(i.a, 0) + ", " + in(i.b, 0) + ", " + arguments(i) + ")", kAlone};
    case opcode::falloc:
      return {"falloc " + activated(i), 0};
    default: {
      const index type = i.to.is_slot() ? p_.slots[block_.slots.first + i.to.at()].type
                                        : p_.temporaries[body_.temporaries.first + i.to.at()].type;
      return {(i.op == opcode::ialloc ? "ialloc " : "malloc ") + spelling(p_, p_.types[type].of) +
                  "[" + in(i.a, 0) + "]" +
                  (i.other == kNone ? "" : " bounds(" + std::to_string(i.other) + ")") +
                  (i.argument_count == 0 ? "" : " rows(" + arguments(i) + ")"),
              0};
    }
  }
}

std::string body_text::effect_text(const instruction& i) {
  const auto thread = [&](index t) { return t == kNone ? "none" : p_.name(p_.threads[t].name); };
  const auto inlet_name = [&] { return p_.name(p_.inlets[i.target].name); };
  const auto element = [&] { return in(i.a, kAlone) + "[" + in(i.b, 0) + "]"; };
  const auto answer = [&] {
    return " -> " + (i.target == kNone ? in(p_.arguments[i.first_argument], kAlone) : inlet_name());
  };
  switch (i.op) {
    case opcode::fork:
      return "fork " + thread(i.target);
    case opcode::again:
      return "again " + thread(i.target);
    case opcode::choose_thread:
      return "switch " + in(i.a, 0) + " ? " + thread(i.target) + " : " + thread(i.other);
    case opcode::send:
      return "send " + in(i.a, kAlone) + (i.target == kNone ? "" : "." + inlet_name()) + "(" +
             arguments(i) + ")";
    case opcode::ffree:
      return "ffree";
    case opcode::ifetch:
      return "ifetch " + element() + answer();
    case opcode::istore:
      return "istore " + element() + " = " + arguments(i);
    case opcode::mtake:
      return "mtake " + element() + answer();
    case opcode::length:
      return "length " + in(i.a, kAlone) + answer();
    case opcode::falloc_at:
      return "falloc " + activated(i) + place_text(i) + " -> " +
             (i.other == kNone ? in(p_.arguments[i.first_argument], kAlone)
                               : p_.name(p_.inlets[i.other].name));
    case opcode::spawn:
      return "spawn " + activated(i) + "(" + arguments(i) + ")" + place_text(i);
    case opcode::mput:
      return "mput " + element() + " = " + arguments(i);
    case opcode::print:
      return "print " + arguments(i);
    case opcode::write:
      return "write " + arguments(i);
    case opcode::require: {
      const std::string condition = in(i.a, 0);
      return "require " + condition + " else " + arguments(i);
    }
    case opcode::fail:
      return "fail " + in(i.a, 0);
    default:
      return "stop";
  }
}

std::string body_text::statement(index at) {
  const instruction& i = p_.instructions[at];
  const bool has_value = !i.to.is_none();
  if (has_value && i.to.is_temporary() && is_part_[i.to.at()]) {
    parts_[i.to.at()] = value_text(i);
    return "";
  }
  if (has_value) return name_of(i.to) + " = " + value_text(i).words;
  if (i.op == opcode::stop && at != body_.instructions.first &&
      p_.instructions[at - 1].op == opcode::fail)
    return "";
  return effect_text(i);
}

}  // namespace tl0
