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

char* text_buffer::put(char* at, double number) {
  const auto end = std::to_chars(at, at + kNumberMax, number);
  const std::string_view words(at, static_cast<std::size_t>(end.ptr - at));
  return words.find_first_of(".e") == std::string_view::npos ? put(end.ptr, ".0") : end.ptr;
}

void body_text::begin(const code_block& block, const body& of) {
  block_ = &block;
  body_ = &of;
  is_long_ = of.instructions.count > kDepthMax;
  parts_.assign(of.temporaries.count, {});
  if (!kept_.empty()) kept_.clear();
  if (of.temporaries.count != 0) find_parts();
}

void body_text::find_room() {
  const auto look = [&](const std::vector<std::string>& texts, std::size_t& seen) {
    for (seen = seen > texts.size() ? 0 : seen; seen < texts.size(); ++seen)
      room_ = std::max(room_, kTextsMax * texts[seen].size() + kRoomExpected);
  };
  look(p_.names, names_seen_);
  look(p_.strings, strings_seen_);
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
  part* const parts = parts_.data();
  const auto count = [parts](operand o) {
    if (o.is_temporary()) ++parts[o.at()].uses;
  };
  const instruction* const instructions = p_.instructions.data();
  const operand* const arguments = p_.arguments.data();
  for (index at = all.first; at < all.end(); ++at) {
    const instruction& i = instructions[at];
    count(i.a);
    count(i.b);
    for (unsigned k = 0; k < i.argument_count; ++k) count(arguments[i.first_argument + k]);
  }
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
  text.end(value(room(text.begin()), i));
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

// A text of any length.
char* body_text::kept(char* to, const std::string& text) {
  return room(put(out_->room(to, text.size() + room_), std::string_view(text)));
}

char* body_text::constant(char* to, index c) {
  const std::uint64_t word = p_.constants[c];
  switch (p_.types[p_.constant_types[c]].is) {
    case kind::real:
      return put(to, std::bit_cast<double>(word));
    case kind::boolean:
      return put(to, std::string_view(word != 0 ? "true" : "false"));
    case kind::code:
      return put(to, "code ", p_.name(p_.blocks[word].name));
    default:
      return put(to, static_cast<std::int64_t>(word));
  }
}

char* body_text::operand_text(char* to, operand o) {
  switch (o.where()) {
    case space::string:
      return put(to, '"', p_.strings[o.at()], '"');
    case space::constant:
      return constant(to, o.at());
    case space::temporary:
      if (!is_part(o)) break;
      if (parts_[o.at()].is_kept) return kept(to, kept_.at(o.at()));
      return room(value(room(to), p_.instructions[parts_[o.at()].made]));
    case space::slot:
      break;
  }
  if (const std::string* const name = name_of(o)) return put(to, *name);
  return put(to, '$', std::int64_t{o.at()});
}

char* body_text::in(char* to, operand o, int wanted) {
  if (wanted == 0 || binds(o) >= wanted) return operand_text(to, o);
  to = put(to, '(');
  to = operand_text(to, o);
  to = put(to, ')');
  return to;
}

char* body_text::arguments(char* to, const instruction& i) {
  for (unsigned k = 0; k < i.argument_count; ++k) {
    to = room(to);
    if (k != 0) to = put(to, ", ");
    to = in(to, p_.arguments[i.first_argument + k], 0);
  }
  return to;
}

char* body_text::operation(char* to, const instruction& i) {
  const tl0::operation& about = operation_of(i.op);
  if (about.written == form::call) {
    to = put(to, about.spelling, '(');
    to = in(to, i.a, 0);
    if (!i.b.is_none()) {
      to = put(to, ", ");
      to = in(to, i.b, 0);
    }
    return put(to, ')');
  }
  if (about.written == form::prefix) {
    to = put(to, about.spelling);
    if (about.spelling == "not") {
      to = put(to, ' ');
      return in(to, i.a, kComparison);
    }
    const bool is_literal = i.a.where() == space::constant;
    return in(to, i.a, is_literal ? kAlone + 1 : kPrefix);
  }
  const int level = level_of(i.op);
  to = in(to, i.a, level == kComparison ? level + 1 : level);
  to = put(to, ' ', about.spelling, ' ');
  to = in(to, i.b, level + 1);
  return to;
}

char* body_text::activated(char* to, const instruction& i) {
  if (i.target != kNone) return put(to, p_.name(p_.blocks[i.target].name));
  const bool is_enclosed = i.a.where() == space::constant || is_part(i.a);
  if (is_enclosed) to = put(to, '(');
  to = operand_text(to, i.a);
  if (is_enclosed) to = put(to, ')');
  return to;
}

char* body_text::place(char* to, const instruction& i) {
  switch (i.place) {
    case placement::local:
      return to;
    case placement::round_robin:
    case placement::round_robin_in_turn:
      to = put(to, " round_robin");
      break;
    case placement::least_loaded:
      return put(to, " least_loaded");
    case placement::at:
    case placement::at_in_turn:
      to = put(to, " at ");
      to = in(to, i.b, 0);
      break;
    case placement::by:
      to = put(to, " by ");
      return in(to, i.b, 0);
  }
  if (is_in_turn(i.place)) to = put(to, " in_turn");
  return to;
}

char* body_text::value(char* to, const instruction& i) {
  if (is_operation(i.op)) return operation(to, i);
  switch (i.op) {
    case opcode::move:
      return operand_text(to, i.a);
    case opcode::retype:
      to = in(to, i.a, kPostfix);
      return kept(put(to, " as "), spelling(type_of(i.to)));
    case opcode::own_frame:
      return put(to, "self");
    case opcode::own_inlet:
      return put(to, p_.name(p_.inlets[i.target].name));
    case opcode::rank:
      return put(to, "rank");
    case opcode::rank_count:
      return put(to, "ranks");
    case opcode::room:
      return put(to, "room()");
    case opcode::owner:
      to = put(to, "owner(");
      to = in(to, i.a, 0);
      to = put(to, ", ");
      to = in(to, i.b, 0);
      return put(to, ')');
    case opcode::choose:
      to = put(to, "choose(");
      to = in(to, i.a, 0);
      to = put(to, ", ");
      to = in(to, i.b, 0);
      to = put(to, ", ");
      to = arguments(to, i);
      return put(to, ')');
    case opcode::falloc:
      to = put(to, "falloc ");
      return activated(to, i);
    default:
      to = put(to, std::string_view(i.op == opcode::ialloc ? "ialloc " : "malloc "));
      to = put(kept(to, spelling(p_.types[type_of(i.to)].of)), '[');
      to = in(to, i.a, 0);
      to = put(to, ']');
      if (i.other != kNone) to = put(to, " bounds(", std::int64_t{i.other}, ')');
      if (i.argument_count == 0) return to;
      to = put(to, " rows(");
      to = arguments(to, i);
      return put(to, ')');
  }
}

char* body_text::element(char* to, const instruction& i) {
  to = in(to, i.a, kAlone);
  to = put(to, '[');
  to = in(to, i.b, 0);
  to = put(to, ']');
  return to;
}

char* body_text::answer(char* to, const instruction& i, index inlet) {
  if (inlet != kNone) return put(to, " -> ", p_.name(p_.inlets[inlet].name));
  to = put(to, " -> ");
  to = in(to, p_.arguments[i.first_argument], kAlone);
  return to;
}

char* body_text::effect(char* to, const instruction& i) {
  switch (i.op) {
    case opcode::fork:
      return put(to, "fork ", thread(i.target));
    case opcode::again:
      return put(to, "again ", thread(i.target));
    case opcode::choose_thread:
      to = put(to, "switch ");
      to = in(to, i.a, 0);
      return put(to, " ? ", thread(i.target), " : ", thread(i.other));
    case opcode::send:
      to = put(to, "send ");
      to = in(to, i.a, kAlone);
      if (i.target != kNone) to = put(to, '.', p_.name(p_.inlets[i.target].name));
      to = put(to, '(');
      to = arguments(to, i);
      return put(to, ')');
    case opcode::ffree:
      return put(to, "ffree");
    case opcode::falloc_at:
      to = put(to, "falloc ");
      to = activated(to, i);
      to = place(to, i);
      return answer(to, i, i.other);
    case opcode::spawn:
      to = put(to, "spawn ");
      to = activated(to, i);
      to = put(to, '(');
      to = arguments(to, i);
      to = put(to, ')');
      return place(to, i);
    case opcode::print:
    case opcode::write:
      to = put(to, std::string_view(i.op == opcode::print ? "print " : "write "));
      return arguments(to, i);
    case opcode::require:
      to = put(to, "require ");
      to = in(to, i.a, 0);
      to = put(to, " else ");
      return arguments(to, i);
    case opcode::fail:
      to = put(to, "fail ");
      return in(to, i.a, 0);
    default:
      return access(to, i);
  }
}

// Of an element, or of how many there are.
char* body_text::access(char* to, const instruction& i) {
  switch (i.op) {
    case opcode::ifetch:
    case opcode::mtake:
      to = put(to, std::string_view(i.op == opcode::ifetch ? "ifetch " : "mtake "));
      to = element(to, i);
      return answer(to, i, i.target);
    case opcode::length:
      to = put(to, "length ");
      to = in(to, i.a, kAlone);
      return answer(to, i, i.target);
    default:
      to = put(to, std::string_view(i.op == opcode::istore ? "istore " : "mput "));
      to = element(to, i);
      to = put(to, " = ");
      return arguments(to, i);
  }
}

char* body_text::statement(char* to, index n) {
  const instruction& i = p_.instructions[n];
  if (i.op == opcode::stop) return to;
  to = room(to);
  if (i.to.is_none()) {
    to = put(to, "    ");
    to = effect(to, i);
  } else {
    if (const std::string* const name = name_of(i.to))
      to = put(to, "    ", *name, " = ");
    else
      to = put(to, "    $", std::int64_t{i.to.at()}, " = ");
    to = value(to, i);
  }
  return put(to, '\n');
}

}  // namespace tl0
