// SPDX-License-Identifier: Apache-2.0
#include "tl0/print/body_text.hpp"

#include <array>
#include <bit>
#include <utility>

#include "tl0/program/precedence.hpp"

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

void text_buffer::put(double number) {
  std::array<char, 64> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
  const std::string_view words(text.data(), static_cast<std::size_t>(end.ptr - text.data()));
  put(words);
  if (words.find_first_of(".e") == std::string_view::npos) put(".0");
}

void body_text::begin(const code_block& block, const body& of) {
  block_ = &block;
  body_ = &of;
  is_long_ = of.instructions.count > kDepthMax;
  parts_.assign(of.temporaries.count, {});
  if (!kept_.empty()) kept_.clear();
  if (of.temporaries.count != 0) find_parts();
}

const std::string& body_text::spelling_slow(index type) {
  if (type >= spellings_.size()) spellings_.resize(p_.types.size());
  return spellings_[type] = tl0::spelling(p_, type);
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
  for (index at = all.first; at < all.end(); ++at)
    operands(p_.instructions[at], [this](operand o) {
      if (o.is_temporary()) ++parts_[o.at()].uses;
    });
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
  text_buffer text;
  text_buffer* const was = std::exchange(out_, &text);
  value(i);
  out_ = was;
  kept_[i.to.at()] = text.view();
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
      return out_->put(std::bit_cast<double>(word));
    case kind::boolean:
      return out_->put(word != 0 ? "true" : "false");
    case kind::code:
      return out_->put("code ", p_.name(p_.blocks[word].name));
    default:
      return out_->put(static_cast<std::int64_t>(word));
  }
}

void body_text::operand_text(operand o) {
  switch (o.where()) {
    case space::string:
      return out_->put('"', p_.strings[o.at()], '"');
    case space::constant:
      return constant(o.at());
    case space::temporary:
      if (!is_part(o)) break;
      if (parts_[o.at()].is_kept) return out_->put(kept_.at(o.at()));
      return value(p_.instructions[parts_[o.at()].made]);
    case space::slot:
      break;
  }
  if (const std::string* const name = name_of(o)) return out_->put(*name);
  out_->put('$', std::int64_t{o.at()});
}

void body_text::in(operand o, int wanted) {
  if (wanted == 0 || binds(o) >= wanted) return operand_text(o);
  out_->put('(');
  operand_text(o);
  out_->put(')');
}

void body_text::arguments(const instruction& i) {
  for (unsigned k = 0; k < i.argument_count; ++k) {
    if (k != 0) out_->put(", ");
    in(p_.arguments[i.first_argument + k], 0);
  }
}

void body_text::operation(const instruction& i) {
  const tl0::operation& about = operation_of(i.op);
  if (about.written == form::call) {
    out_->put(about.spelling, '(');
    in(i.a, 0);
    if (!i.b.is_none()) {
      out_->put(", ");
      in(i.b, 0);
    }
    return out_->put(')');
  }
  if (about.written == form::prefix) {
    out_->put(about.spelling);
    if (about.spelling == "not") {
      out_->put(' ');
      return in(i.a, kComparison);
    }
    const bool is_literal = i.a.where() == space::constant;
    return in(i.a, is_literal ? kAlone + 1 : kPrefix);
  }
  const int level = level_of(i.op);
  in(i.a, level == kComparison ? level + 1 : level);
  out_->put(' ', about.spelling, ' ');
  in(i.b, level + 1);
}

void body_text::activated(const instruction& i) {
  if (i.target != kNone) return out_->put(p_.name(p_.blocks[i.target].name));
  const bool is_enclosed = i.a.where() == space::constant || is_part(i.a);
  if (is_enclosed) out_->put('(');
  operand_text(i.a);
  if (is_enclosed) out_->put(')');
}

void body_text::place(const instruction& i) {
  switch (i.place) {
    case placement::local:
      return;
    case placement::round_robin:
    case placement::round_robin_in_turn:
      out_->put(" round_robin");
      break;
    case placement::least_loaded:
      return out_->put(" least_loaded");
    case placement::at:
    case placement::at_in_turn:
      out_->put(" at ");
      in(i.b, 0);
      break;
    case placement::by:
      out_->put(" by ");
      return in(i.b, 0);
  }
  if (is_in_turn(i.place)) out_->put(" in_turn");
}

void body_text::value(const instruction& i) {
  if (is_operation(i.op)) return operation(i);
  switch (i.op) {
    case opcode::move:
      return operand_text(i.a);
    case opcode::retype:
      in(i.a, kPostfix);
      return out_->put(" as ", spelling(type_of(i.to)));
    case opcode::own_frame:
      return out_->put("self");
    case opcode::own_inlet:
      return out_->put(p_.name(p_.inlets[i.target].name));
    case opcode::rank:
      return out_->put("rank");
    case opcode::rank_count:
      return out_->put("ranks");
    case opcode::room:
      return out_->put("room()");
    case opcode::owner:
      out_->put("owner(");
      in(i.a, 0);
      out_->put(", ");
      in(i.b, 0);
      return out_->put(')');
    case opcode::choose:
      out_->put("choose(");
      in(i.a, 0);
      out_->put(", ");
      in(i.b, 0);
      out_->put(", ");
      arguments(i);
      return out_->put(')');
    case opcode::falloc:
      out_->put("falloc ");
      return activated(i);
    default:
      out_->put(i.op == opcode::ialloc ? "ialloc " : "malloc ",
                spelling(p_.types[type_of(i.to)].of), '[');
      in(i.a, 0);
      out_->put(']');
      if (i.other != kNone) out_->put(" bounds(", std::int64_t{i.other}, ')');
      if (i.argument_count == 0) return;
      out_->put(" rows(");
      arguments(i);
      out_->put(')');
  }
}

void body_text::element(const instruction& i) {
  in(i.a, kAlone);
  out_->put('[');
  in(i.b, 0);
  out_->put(']');
}

void body_text::answer(const instruction& i, index inlet) {
  if (inlet != kNone) return out_->put(" -> ", p_.name(p_.inlets[inlet].name));
  out_->put(" -> ");
  in(p_.arguments[i.first_argument], kAlone);
}

void body_text::effect(const instruction& i) {
  switch (i.op) {
    case opcode::fork:
      return out_->put("fork ", thread(i.target));
    case opcode::again:
      return out_->put("again ", thread(i.target));
    case opcode::choose_thread:
      out_->put("switch ");
      in(i.a, 0);
      return out_->put(" ? ", thread(i.target), " : ", thread(i.other));
    case opcode::send:
      out_->put("send ");
      in(i.a, kAlone);
      if (i.target != kNone) out_->put('.', p_.name(p_.inlets[i.target].name));
      out_->put('(');
      arguments(i);
      return out_->put(')');
    case opcode::ffree:
      return out_->put("ffree");
    case opcode::falloc_at:
      out_->put("falloc ");
      activated(i);
      place(i);
      return answer(i, i.other);
    case opcode::spawn:
      out_->put("spawn ");
      activated(i);
      out_->put('(');
      arguments(i);
      out_->put(')');
      return place(i);
    case opcode::print:
    case opcode::write:
      out_->put(i.op == opcode::print ? "print " : "write ");
      return arguments(i);
    case opcode::require:
      out_->put("require ");
      in(i.a, 0);
      out_->put(" else ");
      return arguments(i);
    case opcode::fail:
      out_->put("fail ");
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
      out_->put(i.op == opcode::ifetch ? "ifetch " : "mtake ");
      element(i);
      return answer(i, i.target);
    case opcode::length:
      out_->put("length ");
      in(i.a, kAlone);
      return answer(i, i.target);
    default:
      out_->put(i.op == opcode::istore ? "istore " : "mput ");
      element(i);
      out_->put(" = ");
      return arguments(i);
  }
}

void body_text::statement(index at) {
  const instruction& i = p_.instructions[at];
  if (i.op == opcode::stop) return;
  if (i.to.is_none()) {
    out_->put("    ");
    effect(i);
  } else {
    if (const std::string* const name = name_of(i.to))
      out_->put("    ", *name, " = ");
    else
      out_->put("    $", std::int64_t{i.to.at()}, " = ");
    value(i);
  }
  out_->put('\n');
}

}  // namespace tl0
