// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/print/body_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <utility>

#include "languages/tam/tl0/program/precedence.hpp"

namespace tl0 {
namespace {

constexpr int kAlone = kPostfix + 1;
constexpr std::uint32_t kDepthMax = 64;

constexpr auto kLevels = [] {
  std::array<int, kOperations> levels{};
  for (unsigned i = 0; i < kOperations; ++i)
    levels[i] = precedence_of_infix(kOperationTable[i].spelling);
  return levels;
}();

int level_of(opcode op) { return kLevels[static_cast<unsigned>(op) - kFirstOperation]; }

}  // namespace

void append(std::string& to, double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number);
  const std::string_view words(text, static_cast<std::size_t>(end.ptr - text));
  to += words;
  if (words.find_first_of(".e") == std::string_view::npos) to += ".0";
}

void body_text::begin(const code_block& block, const body& of) {
  block_ = &block;
  body_ = &of;
  is_long_ = of.instructions.count > kDepthMax;
  parts_.assign(of.temporaries.count, {});
  kept_.clear();
  find_parts();
}

const std::string& body_text::spelling(index type) {
  if (spellings_.size() < p_.types.size()) spellings_.resize(p_.types.size());
  if (spellings_[type].empty()) spellings_[type] = tl0::spelling(p_, type);
  return spellings_[type];
}

// In their order. `use` takes an operand, which may be none.
template <class F>
void body_text::operands(const instruction& i, const F& use) const {
  const bool is_b_last = i.op == opcode::spawn;
  use(i.a);
  if (!is_b_last) use(i.b);
  for (unsigned k = 0; k < i.argument_count; ++k) use(p_.arguments[i.first_argument + k]);
  if (is_b_last) use(i.b);
}

template <class F>
void body_text::operands_backwards(const instruction& i, const F& use) const {
  const bool is_b_last = i.op == opcode::spawn;
  if (is_b_last) use(i.b);
  for (unsigned k = i.argument_count; k-- != 0;) use(p_.arguments[i.first_argument + k]);
  if (!is_b_last) use(i.b);
  use(i.a);
}

bool body_text::can_be_part(const instruction& i) const {
  return is_value(i.op) && i.op != opcode::move && i.to.is_temporary() &&
         parts_[i.to.at()].uses == 1 &&
         p_.temporaries[body_->temporaries.first + i.to.at()].name == kNone;
}

// A temporary without a name is a part if it is used once, and all parts come right before what
// uses them, in the order of its operands: so the assembler makes them.
void body_text::find_parts() {
  const range all = body_->instructions;
  const auto count = [this](operand o) {
    if (o.is_temporary()) ++parts_[o.at()].uses;
  };
  for (index at = all.first; at < all.end(); ++at) operands(p_.instructions[at], count);
  waiting_.clear();
  for (index at = all.first; at < all.end(); ++at) {
    const instruction& i = p_.instructions[at];
    if (!waiting_.empty())
      operands_backwards(i, [&](operand o) {
        if (is_part(o)) take_part(o.at(), i, at);
      });
    if (can_be_part(i)) {
      parts_[i.to.at()].made = at;
      waiting_.push_back(i.to.at());
    } else {
      drop_through(waiting_.size());
    }
  }
  drop_through(waiting_.size());
}

void body_text::take_part(index used, const instruction& user, index at) {
  const position& here = p_.positions[at];
  const position& made = p_.positions[parts_[used].made];
  const bool same_place = made.file == here.file && (here.file == 0 || made == here);
  if (waiting_.back() == used && same_place && user.op != opcode::move) return waiting_.pop_back();
  std::size_t behind = waiting_.size();
  while (waiting_[behind - 1] != used) --behind;
  drop_through(behind);
}

// Statements of their own, the first of those that wait: what comes before a statement is no part
// of what comes after it.
void body_text::drop_through(std::size_t count) {
  if (count == 0) return;
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  for (auto each = waiting_.begin(); each != end; ++each) parts_[*each].made = kNone;
  waiting_.erase(waiting_.begin(), end);
}

// A chain of parts may be as long as the body, so the text of some is kept.
void body_text::add_part(index at) {
  const instruction& i = p_.instructions[at];
  part& made = parts_[i.to.at()];
  operands(i, [&](operand o) {
    if (is_part(o)) made.depth = std::max(made.depth, parts_[o.at()].depth + 1);
  });
  if (made.depth < kDepthMax) return;
  std::string text;
  std::string* const was = std::exchange(out_, &text);
  value(i);
  out_ = was;
  kept_[i.to.at()] = std::move(text);
  made.is_kept = true;
  made.depth = 0;
}

index body_text::type_of(operand o) const {
  return o.is_slot() ? p_.slots[block_->slots.first + o.at()].type
                     : p_.temporaries[body_->temporaries.first + o.at()].type;
}

int body_text::binds(const instruction& i) const {
  if (is_operation(i.op)) {
    const tl0::operation& about = operation_of(i.op);
    if (about.written == form::call) return kAlone;
    if (about.written == form::infix) return level_of(i.op);
    return about.spelling == "not" ? kComparison : kPrefix;
  }
  switch (i.op) {
    case opcode::move:
      return binds(i.a);
    case opcode::retype:
      return kPostfix;
    case opcode::falloc:
    case opcode::ialloc:
    case opcode::malloc:
      return 0;
    default:
      return kAlone;
  }
}

int body_text::binds(operand o) const {
  if (o.where() == space::constant) {
    const std::uint64_t word = p_.constants[o.at()];
    const kind is = p_.types[p_.constant_types[o.at()]].is;
    const bool is_number = is != kind::boolean && is != kind::code;  // its sign is the first bit
    return is_number && static_cast<std::int64_t>(word) < 0 ? kPrefix : kAlone;
  }
  return is_part(o) ? binds(p_.instructions[parts_[o.at()].made]) : kAlone;
}

const std::string* body_text::name_of(operand o) const {
  const index name = o.where() == space::slot
                         ? p_.slots[block_->slots.first + o.at()].name
                         : p_.temporaries[body_->temporaries.first + o.at()].name;
  return name == kNone ? nullptr : &p_.name(name);
}

void body_text::constant(index c) {
  const std::uint64_t word = p_.constants[c];
  switch (p_.types[p_.constant_types[c]].is) {
    case kind::real:
      return put(std::bit_cast<double>(word));
    case kind::boolean:
      return put(std::string_view(word != 0 ? "true" : "false"));
    case kind::code:
      return put("code ", p_.name(p_.blocks[word].name));
    default:
      return put(static_cast<std::int64_t>(word));
  }
}

void body_text::operand_text(operand o) {
  switch (o.where()) {
    case space::string:
      return put('"', p_.strings[o.at()], '"');
    case space::constant:
      return constant(o.at());
    case space::temporary:
      if (!is_part(o)) break;
      if (parts_[o.at()].is_kept) return put(kept_.at(o.at()));
      return value(p_.instructions[parts_[o.at()].made]);
    case space::slot:
      break;
  }
  if (const std::string* const name = name_of(o)) return put(*name);
  return put('$', std::int64_t{o.at()});
}

void body_text::in(operand o, int wanted) {
  if (wanted == 0 || binds(o) >= wanted) return operand_text(o);
  put('(');
  operand_text(o);
  put(')');
}

void body_text::arguments(const instruction& i) {
  for (unsigned k = 0; k < i.argument_count; ++k) {
    if (k != 0) put(", ");
    in(p_.arguments[i.first_argument + k], 0);
  }
}

void body_text::operation(const instruction& i) {
  const tl0::operation& about = operation_of(i.op);
  if (about.written == form::call) {
    put(about.spelling, '(');
    in(i.a, 0);
    if (!i.b.is_none()) {
      put(", ");
      in(i.b, 0);
    }
    return put(')');
  }
  if (about.written == form::prefix) {
    put(about.spelling);
    if (about.spelling == "not") {
      put(' ');
      return in(i.a, kComparison);
    }
    const bool is_literal = i.a.where() == space::constant;
    return in(i.a, is_literal ? kAlone + 1 : kPrefix);
  }
  const int level = level_of(i.op);
  in(i.a, level == kComparison ? level + 1 : level);
  put(' ', about.spelling, ' ');
  in(i.b, level + 1);
}

void body_text::activated(const instruction& i) {
  if (i.target != kNone) return put(p_.name(p_.blocks[i.target].name));
  const bool is_enclosed = i.a.where() == space::constant || is_part(i.a);
  if (is_enclosed) put('(');
  operand_text(i.a);
  if (is_enclosed) put(')');
}

void body_text::place(const instruction& i) {
  switch (i.place) {
    case placement::local:
      return;
    case placement::round_robin:
    case placement::round_robin_in_turn:
      put(" round_robin");
      break;
    case placement::least_loaded:
      return put(" least_loaded");
    case placement::at:
    case placement::at_in_turn:
      put(" at ");
      in(i.b, 0);
      break;
    case placement::by:
      put(" by ");
      return in(i.b, 0);
  }
  if (is_in_turn(i.place)) put(" in_turn");
}

void body_text::value(const instruction& i) {
  if (is_operation(i.op)) return operation(i);
  switch (i.op) {
    case opcode::move:
      return operand_text(i.a);
    case opcode::retype:
      in(i.a, kPostfix);
      return put(" as ", spelling(type_of(i.to)));
    case opcode::own_frame:
      return put("self");
    case opcode::own_inlet:
      return put(p_.name(p_.inlets[i.target].name));
    case opcode::rank:
      return put("rank");
    case opcode::rank_count:
      return put("ranks");
    case opcode::room:
      return put("room()");
    case opcode::owner:
      put("owner(");
      in(i.a, 0);
      put(", ");
      in(i.b, 0);
      return put(')');
    case opcode::choose:
      put("choose(");
      in(i.a, 0);
      put(", ");
      in(i.b, 0);
      put(", ");
      arguments(i);
      return put(')');
    case opcode::falloc:
      put("falloc ");
      return activated(i);
    default:
      put(std::string_view(i.op == opcode::ialloc ? "ialloc " : "malloc "));
      put(spelling(p_.types[type_of(i.to)].of), '[');
      in(i.a, 0);
      put(']');
      if (i.other != kNone) put(" bounds(", std::int64_t{i.other}, ')');
      if (i.argument_count == 0) return;
      put(" rows(");
      arguments(i);
      return put(')');
  }
}

void body_text::element(const instruction& i) {
  in(i.a, kAlone);
  put('[');
  in(i.b, 0);
  put(']');
}

void body_text::answer(const instruction& i, index inlet) {
  if (inlet != kNone) return put(" -> ", p_.name(p_.inlets[inlet].name));
  put(" -> ");
  in(p_.arguments[i.first_argument], kAlone);
}

void body_text::effect(const instruction& i) {
  switch (i.op) {
    case opcode::fork:
      return put("fork ", thread(i.target));
    case opcode::again:
      return put("again ", thread(i.target));
    case opcode::choose_thread:
      put("switch ");
      in(i.a, 0);
      return put(" ? ", thread(i.target), " : ", thread(i.other));
    case opcode::send:
      put("send ");
      in(i.a, kAlone);
      if (i.target != kNone) put('.', p_.name(p_.inlets[i.target].name));
      put('(');
      arguments(i);
      return put(')');
    case opcode::ffree:
      return put("ffree");
    case opcode::falloc_at:
      put("falloc ");
      activated(i);
      place(i);
      return answer(i, i.other);
    case opcode::spawn:
      put("spawn ");
      activated(i);
      put('(');
      arguments(i);
      put(')');
      return place(i);
    case opcode::print:
    case opcode::write:
      put(std::string_view(i.op == opcode::print ? "print " : "write "));
      return arguments(i);
    case opcode::require:
      put("require ");
      in(i.a, 0);
      put(" else ");
      return arguments(i);
    case opcode::fail:
      put("fail ");
      return in(i.a, 0);
    default:
      return access(i);
  }
}

// Of an element, or of how many there are.
void body_text::access(const instruction& i) {
  switch (i.op) {
    case opcode::ifetch:
    case opcode::mtake:
      put(std::string_view(i.op == opcode::ifetch ? "ifetch " : "mtake "));
      element(i);
      return answer(i, i.target);
    case opcode::length:
      put("length ");
      in(i.a, kAlone);
      return answer(i, i.target);
    default:
      put(std::string_view(i.op == opcode::istore ? "istore " : "mput "));
      element(i);
      put(" = ");
      return arguments(i);
  }
}

void body_text::statement(index n) {
  const instruction& i = p_.instructions[n];
  if (i.op == opcode::stop) return;
  if (i.to.is_none()) {
    put("    ");
    effect(i);
  } else {
    if (const std::string* const name = name_of(i.to))
      put("    ", *name, " = ");
    else
      put("    $", std::int64_t{i.to.at()}, " = ");
    value(i);
  }
  return put('\n');
}

}  // namespace tl0
