// SPDX-License-Identifier: Apache-2.0
// Nodes but calls.
#include "languages/id/emit/emitter.hpp"

namespace idc::emit {

using graph::operation;
using tl0::opcode;

void emitter::node(const graph::node& n) {
  const index integers = type_of(kind::integer);
  switch (n.op) {
    case operation::choice:
      return;
    case operation::move:
      return write_to(n.to, read(n.operands[0], kind_of(n.to)), kind_of(n.to));
    case operation::merge: {
      const value to = n.in->of->to;
      if (now_.slots[to] == tl0::kNone) return;
      add({.op = opcode::move, .to = slot(now_.slots[to]), .a = read(n.operands[0], kind_of(to))});
      return;
    }
    case operation::compute:
      return compute(n);
    case operation::tag:
    case operation::pointer:
    case operation::tagged:
      return tagged_word(n);
    case operation::offset:
      return offset(n);
    case operation::extent:
      return extent(n);
    case operation::room:
      return write_to(n.to, computed(opcode::room, {}, {}, type_of(kind::boolean)), kind::boolean);
    case operation::owner:
      return write_to(n.to,
                      computed(opcode::owner, read(n.operands[0], kind::structure),
                               read(n.operands[1], kind::integer), integers),
                      kind::integer);
    case operation::code: {
      const operand code = p_.constant(block_of(variants_.code(*n.callee)), code_type());
      return write_to(n.to, retype(code, type_of(kind::word)), kind::word);
    }
    case operation::call:
      return call(n);
    case operation::give:
      return give(n);
    case operation::fail:
      return fail(n);
    case operation::write_text:
    case operation::write_int:
    case operation::write_float:
    case operation::write_bool:
    case operation::write_line:
      return write(n);
    default:
      return structure(n);
  }
}

// A pointer with a tag in its last four bits, or one of both out of it.
void emitter::tagged_word(const graph::node& n) {
  const index integers = type_of(kind::integer);
  if (n.op == operation::tag) {
    add({.op = opcode::and_int,
         .to = target(n.to),
         .a = read(n.operands[0], kind::integer),
         .b = integer(15)});
  } else if (n.op == operation::pointer) {
    const operand bits =
        computed(opcode::and_int, read(n.operands[0], kind::integer), integer(-16), integers);
    write_to(n.to, as(bits, kind::integer, kind::structure), kind::structure);
  } else if (n.immediate == 0) {
    write_to(n.to, read(n.operands[0], kind::word), kind::word);
  } else {
    const operand bits = as(read(n.operands[0], kind::structure), kind::structure, kind::integer);
    write_to(n.to, computed(opcode::or_int, bits, integer(n.immediate), integers), kind::integer);
  }
}

void emitter::give(const graph::node& n) {
  const operand given = read(n.operands[0], plan_->of->of->result);
  add({.op = opcode::send,
       .argument_count = 1,
       .first_argument = arguments({given}),
       .a = slot(now_.result)});
}

void emitter::compute(const graph::node& n) {
  const std::string_view letters = tl0::operation_of(n.code).operands;
  const operand a = read(n.operands[0], graph::kind_of(letters[0]));
  const operand b =
      letters.size() < 2 ? operand{} : read(n.operands[1], graph::kind_of(letters[1]));
  const kind result = graph::kind_of(tl0::operation_of(n.code).result);
  if (result == kind_of(n.to)) {
    add({.op = n.code, .to = target(n.to), .a = a, .b = b});
    return;
  }
  write_to(n.to, computed(n.code, a, b, type_of(result)), result);
}

namespace {

constexpr char kIndex[] = "index ", kOutside[] = " is outside of (", kComma[] = ", ", kEnd[] = ")";
constexpr char kStep[] = "the step of a loop is ", kTooLittle[] = ", and must be at least 1";

}  // namespace

// Within the bounds, and which element it is: row by row.
void emitter::offset(const graph::node& n) {
  const index integers = type_of(kind::integer), booleans = type_of(kind::boolean);
  operand sum;
  for (std::size_t i = 0; i < n.operands.size(); i += 3) {
    const operand at = read(n.operands[i], kind::integer);
    const operand lower = read(n.operands[i + 1], kind::integer);
    const operand upper = read(n.operands[i + 2], kind::integer);
    const operand above = computed(opcode::less_equal_int, lower, at, booleans);
    const operand below = computed(opcode::less_equal_int, at, upper, booleans);
    const operand both = computed(opcode::and_bool, above, below, booleans);
    add({.op = opcode::require,
         .argument_count = 7,
         .first_argument = arguments({literal(kIndex), at, literal(kOutside), lower,
                                      literal(kComma), upper, literal(kEnd)}),
         .a = both});
    const operand from_lower = computed(opcode::subtract_int, at, lower, integers);
    if (i == 0) {
      sum = from_lower;
      continue;
    }
    const operand length =
        computed(opcode::add_int, computed(opcode::subtract_int, upper, lower, integers),
                 integer(1), integers);
    sum = computed(opcode::add_int, computed(opcode::multiply_int, sum, length, integers),
                   from_lower, integers);
  }
  if (n.immediate != 0) sum = computed(opcode::add_int, sum, integer(n.immediate), integers);
  write_to(n.to, sum, kind::integer);
}

// Too many elements are no fewer by multiplication: whoever allocates them is refused.
void emitter::extent(const graph::node& n) {
  const index integers = type_of(kind::integer);
  operand product;
  for (std::size_t i = 0; i < n.operands.size(); i += 2) {
    const operand lower = read(n.operands[i], kind::integer);
    const operand upper = read(n.operands[i + 1], kind::integer);
    const operand length = computed(opcode::extent, lower, upper, integers);
    product = i == 0 ? length : computed(opcode::multiply_int, product, length, integers);
  }
  if (n.immediate != 0)
    product = computed(opcode::add_int, product, integer(n.immediate), integers);
  write_to(n.to, product, kind::integer);
}

void emitter::structure(const graph::node& n) {
  if (n.op == operation::allocate || n.op == operation::allocate_m) {
    const kind is = n.op == operation::allocate ? kind::structure : kind::m_structure;
    const opcode op = n.op == operation::allocate ? opcode::ialloc : opcode::malloc;
    const operand made = temporary(type_of(is));
    tl0::instruction it{.op = op, .to = made, .a = read(n.operands[0], kind::integer)};
    if (n.immediate != 0) it.other = static_cast<index>(n.immediate / 2);
    if (n.operands.size() > 1) {
      it.argument_count = 3;
      it.first_argument = arguments({integer(n.immediate), read(n.operands[1], kind::integer),
                                     read(n.operands[2], kind::integer)});
    }
    add(it);
    return write_to(n.to, made, is);
  }
  const bool is_m = n.op == operation::take || n.op == operation::put;
  const operand whole = read(n.operands[0], is_m ? kind::m_structure : kind::structure);
  const operand at = read(n.operands[1], kind::integer);
  if (n.op == operation::fetch || n.op == operation::take) {
    add({.op = is_m ? opcode::mtake : opcode::ifetch,
         .a = whole,
         .b = at,
         .target = answer_inlet(n)});
    return;
  }
  const operand stored = read(n.operands[2], kind::word);
  add({.op = is_m ? opcode::mput : opcode::istore,
       .argument_count = 1,
       .first_argument = arguments({stored}),
       .a = whole,
       .b = at});
}

void emitter::write(const graph::node& n) {
  operands items;
  if (n.op == operation::write_text)
    items = {string(from_.texts[static_cast<std::size_t>(n.immediate)])};
  if (n.op == operation::write_int) items = {read(n.operands[1], kind::integer)};
  if (n.op == operation::write_float) items = {read(n.operands[1], kind::real)};
  if (n.op == operation::write_bool) items = {read(n.operands[1], kind::boolean)};
  if (n.op == operation::write_line) items = {string("")};
  add({.op = n.op == operation::write_line ? opcode::print : opcode::write,
       .argument_count = 1,
       .first_argument = arguments(items)});
  if (n.to != graph::kNoValue)
    write_to(n.to, as(integer(0), kind::integer, kind::word), kind::word);
}

void emitter::fail(const graph::node& n) {
  operands items = {string("no pattern matches")};
  if (!n.operands.empty())
    items = {literal(kStep), read(n.operands[0], kind::integer), literal(kTooLittle)};
  add({.op = opcode::require,
       .argument_count = static_cast<std::uint8_t>(items.size()),
       .first_argument = arguments(items),
       .a = p_.constant(0, type_of(kind::boolean))});
  write_to(n.to, as(integer(0), kind::integer, kind::word), kind::word);
}

}  // namespace idc::emit
