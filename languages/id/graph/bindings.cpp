// SPDX-License-Identifier: Apache-2.0
// Bindings of the kernel language as nodes.
#include <algorithm>

#include "languages/id/graph/builder.hpp"

namespace idc::graph {

using op = core::operation;

value builder::value_of(const context& c, core::slot s) {
  s = c.of->same(s);
  value& known = (*c.values)[s];
  if (known != kNoValue) return known;
  const core::binding* b = c.of->made(s);
  if (b && b->op == op::constant) return known = constant(b->immediate);
  if (b && b->op == op::text)
    return known = constant(text_numbers_[static_cast<std::size_t>(b->immediate)]);
  if (b && b->op == op::construct && b->operands.empty()) return known = constant(tag_of(*b));
  return known = fresh(c.of->function().slots[s]);
}

value_list builder::values_of(const context& c, const core::binding& b) {
  value_list values;
  for (core::slot s : b.operands) values.push_back(value_of(c, s));
  return values;
}

void builder::copy(const core::region& r, const context& c) {
  for (const core::binding& b : r.bindings)
    if (c.of->is_live(b)) copy(b, c);
}

bool builder::is_of_choice(const core::binding& b, const context& c) {
  return b.to != core::kNoSlot && b.to == c.arm_to;
}

void builder::copy(const core::binding& b, const context& c) {
  const bool to_choice = is_of_choice(b, c);
  const bool has_value = b.to != core::kNoSlot && (to_choice || c.of->is_used(b.to));
  value to = to_choice ? fresh() : has_value ? value_of(c, b.to) : kNoValue;
  switch (b.op) {
    case op::constant:
    case op::text:
      return copy_constant(b, c);
    case op::move:
      return copy_move(b, c);
    case op::construct:
      if (b.operands.empty()) return copy_constant(b, c);
      construct(b, c, to);
      break;
    case op::tag:
      add(operation::tag, values_of(c, b), b.where, to);
      break;
    case op::field: {
      const value whole = add(operation::pointer, values_of(c, b), b.where);
      add(operation::fetch, {whole, constant(b.immediate)}, b.where, to);
      break;
    }
    case op::allocate:
      allocate(b, c, to == kNoValue ? fresh() : to);
      break;
    case op::bound:
      add(operation::move, {bound(value_of(c, b.operands[0]), b.immediate, b.where)}, b.where, to);
      break;
    case op::fetch:
    case op::take:
    case op::examine:
    case op::store:
    case op::put:
      access(b, c, to);
      break;
    case op::closure:
      close(*b.callee, values_of(c, b), b.where, to);
      break;
    case op::global:
      add(operation::fetch, {f_->globals, constant(globals_.at(b.callee))}, b.where,
          to == kNoValue ? fresh() : to);
      break;
    case op::call:
      return copy_call(b, c, to);
    case op::apply:
      return copy_apply(b, c, to);
    case op::choice:
      return copy_choice(b, c, to);
    case op::no_match:
      return copy_no_match(b, c);
    case op::wrong_step:
      add(operation::fail, values_of(c, b), b.where, to == kNoValue ? fresh() : to);
      break;
    case op::give:
      return copy_give(c, value_of(c, b.operands[0]), b.where);
    default:
      copy_compute(b, c, to);
  }
  if (to_choice) merge(*c.join, to, b.where);
}

// Whoever reads a constant has it by value_of.
void builder::copy_constant(const core::binding& b, const context& c) {
  if (!is_of_choice(b, c)) return;
  const auto known = b.op == op::text        ? text_numbers_[static_cast<std::size_t>(b.immediate)]
                     : b.op == op::construct ? tag_of(b)
                                             : b.immediate;
  merge(*c.join, constant(known), b.where);
}

void builder::copy_move(const core::binding& b, const context& c) {
  const value from = value_of(c, b.operands[0]);
  if (is_of_choice(b, c)) return merge(*c.join, from, b.where);
  add(operation::move, {from}, b.where, value_of(c, b.to));  // a copy of itself
}

void builder::copy_no_match(const core::binding& b, const context& c) {
  const value never = add(operation::fail, {}, b.where);
  if (is_of_choice(b, c)) return merge(*c.join, never, b.where);
  if (b.to != core::kNoSlot) throw unsupported{b.where, "a value that no pattern gives"};
  if (c.to == context::gives::join) merge(*c.join, never, b.where);
}

void builder::copy_apply(const core::binding& b, const context& c, value to) {
  if (b.is_tail && c.to == context::gives::result) {
    add(operation::apply, values_of(c, b), b.where, kNoValue).is_tail = true;
    return;
  }
  const value result = to == kNoValue ? fresh() : to;
  add(operation::apply, values_of(c, b), b.where, result);
  if (b.is_tail) return copy_give(c, result, b.where);
  if (is_of_choice(b, c)) merge(*c.join, result, b.where);
}

void builder::copy_give(const context& c, value v, position where) {
  if (c.to == context::gives::result) add(operation::give, {v}, where, kNoValue);
  if (c.to == context::gives::join) merge(*c.join, v, where);
}

// A call whose result is what the region gives.
node& builder::call_into(const context& c, function* callee, value_list operands, position where) {
  const bool is_result = c.to == context::gives::result;
  const value result = c.to == context::gives::join ? fresh() : kNoValue;
  node& call = add_call(callee, std::move(operands), where, result);
  call.is_tail = is_result;
  if (result != kNoValue) merge(*c.join, result, where);
  return call;
}

void builder::copy_choice(const core::binding& b, const context& c, value to) {
  context inside = c;
  inside.arm_to = b.to;
  const bool is_result = b.to == core::kNoSlot && (gives(*b.yes) || gives(*b.no));
  const bool to_join = is_result && c.to == context::gives::join;
  if (!is_result) inside.to = context::gives::nothing;
  if (to_join) to = fresh();
  if (b.to != core::kNoSlot && to == kNoValue) to = fresh();
  const bool is_step = to == kNoValue && is_awaited(b, c);
  if (is_step) to = fresh();
  node& choice = begin_choice(value_of(c, b.operands[0]), b.where, to);
  if (to != kNoValue) inside.join = &choice;
  const auto copy_side = [&](region& to_side, const core::region& side) {
    in(to_side, [&] {
      copy(side, inside);
      if (is_step) merge(choice, constant(0), b.where);
    });
  };
  copy_side(*choice.yes, *b.yes);
  copy_side(*choice.no, *b.no);
  if (to_join || is_of_choice(b, c)) merge(*c.join, to, b.where);
}

// A round after which the next one comes in turn waits for calls and choices in it, also if there
// is no result that it needs.
bool builder::is_awaited(const core::binding& b, const context& c) {
  return !b.is_tail && c.of && c.of->loop() && c.of->loop()->in_turn;
}

void builder::copy_call(const core::binding& b, const context& c, value to) {
  const kernel& callee = kernel_of(*b.callee);
  if (to == kNoValue && is_awaited(b, c)) to = fresh();
  if (callee.loop()) return copy_loop(b, callee, c, to);
  value_list operands = with_globals(values_of(c, b), *b.callee);
  const bool is_of_tree = trees_.contains(b);
  if (is_shared(c, *b.callee) || (is_of_tree && operands.size() >= tl0::kWordsMax))
    return copy_shared(b, c, to, operands);
  const bool is_walk = this->is_walk(c, *b.callee);
  node& call = b.is_tail ? call_into(c, of(*b.callee), std::move(operands), b.where)
                         : add_call(of(*b.callee), std::move(operands), b.where, to);
  call.is_walk = is_walk;
  call.is_shared = is_of_tree;
  if (b.is_tail) return;
  if (b.to == c.arm_to) merge(*c.join, to, b.where);
}

namespace {

// Whether the region, or a side of a choice in it, calls such a function.
bool has_call(const core::region& r, const std::function<bool(const core::function&)>& is_such) {
  return std::any_of(r.bindings.begin(), r.bindings.end(), [&](const core::binding& b) {
    if (b.op == op::choice) return has_call(*b.yes, is_such) || has_call(*b.no, is_such);
    return b.op == op::call && is_such(*b.callee);
  });
}

}  // namespace

// What a round of a list comprehension calls, if that is long: it has a loop.
bool builder::is_shared(const context& c, const core::function& callee) {
  const core::function& in = c.of->function();
  return in.is_loop && !c.of->loop() && &in != &callee && facts_.has_loop(callee);
}

// The walk along a list for whose elements there are shared calls: so few of them wait for other
// ranks that it is better to go on when those have been taken.
bool builder::is_walk(const context& c, const core::function& callee) {
  if (&c.of->function() != &callee || !callee.is_loop || c.of->loop()) return false;
  return has_call(*callee.body, [&](const core::function& called) {
    return &called != &callee && facts_.has_loop(called);
  });
}

// Where this rank keeps activations for others, a call by one word, which any rank can take; else
// the call.
void builder::copy_shared(const core::binding& b, const context& c, value to,
                          const value_list& operands) {
  context inside = c;
  const bool to_join = b.is_tail && c.to == context::gives::join;
  if (!b.is_tail) inside.to = to == kNoValue ? context::gives::nothing : context::gives::join;
  if (to_join) to = fresh();
  node& choice = begin_choice(add(operation::room, {}, b.where), b.where, to);
  inside.join = &choice;
  in(*choice.yes, [&] {
    const value given = pack(operands, b.where);
    call_into(inside, shared_of(*b.callee, operands.size()), {given}, b.where).is_shared = true;
  });
  in(*choice.no, [&] { call_into(inside, of(*b.callee), operands, b.where); });
  if (to_join || (!b.is_tail && b.to == c.arm_to)) merge(*c.join, to, b.where);
}

// Here it is found out whether there is a round at all, so that the loop can wait for all that a
// round needs.
void builder::copy_loop(const core::binding& b, const kernel& loop, const context& c, value to) {
  const value_list arguments = values_of(c, b);
  environment values(loop.function().slots.size(), kNoValue);
  for (std::size_t i = 0; i < arguments.size(); ++i)
    values[loop.function().parameters[i]] = arguments[i];
  context inside{&loop, &values, core::kNoSlot, nullptr, c.to};
  const bool to_join = b.is_tail && c.to == context::gives::join;
  if (!b.is_tail) inside.to = to == kNoValue ? context::gives::nothing : context::gives::join;
  if (to_join) to = fresh();
  for (const core::binding* test : loop.loop()->test)
    if (loop.is_live(*test)) copy(*test, inside);
  const core::binding& shape = *loop.loop()->choice;
  node& choice = begin_choice(value_of(inside, shape.operands[0]), b.where, to);
  inside.join = &choice;
  in(*choice.yes, [&] {
    value_list given = without_condition(loop, arguments);
    if (is_limited(loop)) add_permits(loop, given, b.where);
    call_into(inside, rounds_of(*b.callee), with_globals(given, *b.callee), b.where);
  });
  in(*choice.no, [&] { copy(*shape.no, inside); });
  if (to_join || (!b.is_tail && b.to == c.arm_to)) merge(*c.join, to, b.where);
}

namespace {

tl0::opcode comparison(token_kind how, bool is_real) {
  using tl0::opcode;
  switch (how) {
    case token_kind::equal:
      return is_real ? opcode::equal_float : opcode::equal_int;
    case token_kind::not_equal:
      return is_real ? opcode::unequal_float : opcode::unequal_int;
    case token_kind::less:
      return is_real ? opcode::less_float : opcode::less_int;
    case token_kind::less_equal:
      return is_real ? opcode::less_equal_float : opcode::less_equal_int;
    case token_kind::greater:
      return is_real ? opcode::greater_float : opcode::greater_int;
    default:
      return is_real ? opcode::greater_equal_float : opcode::greater_equal_int;
  }
}

tl0::opcode opcode_of(const core::binding& b) {
  using tl0::opcode;
  switch (b.op) {
    case op::add:
      return opcode::add_int;
    case op::subtract:
      return opcode::subtract_int;
    case op::multiply:
      return opcode::multiply_int;
    case op::divide:
      return opcode::divide_int;
    case op::remainder:
      return opcode::remainder_int;
    case op::negate:
      return opcode::negate_int;
    case op::absolute:
      return opcode::absolute_int;
    case op::minimum:
      return opcode::minimum_int;
    case op::maximum:
      return opcode::maximum_int;
    case op::real_add:
      return opcode::add_float;
    case op::real_subtract:
      return opcode::subtract_float;
    case op::real_multiply:
      return opcode::multiply_float;
    case op::real_divide:
      return opcode::divide_float;
    case op::real_negate:
      return opcode::negate_float;
    case op::real_absolute:
      return opcode::absolute_float;
    case op::real_minimum:
      return opcode::minimum_float;
    case op::real_maximum:
      return opcode::maximum_float;
    case op::to_real:
      return opcode::float_of_int;
    case op::to_integer:
      return opcode::int_of_float;
    case op::square_root:
      return opcode::square_root;
    case op::sine:
      return opcode::sine;
    case op::cosine:
      return opcode::cosine;
    case op::exponential:
      return opcode::exponential;
    case op::logarithm:
      return opcode::logarithm;
    case op::complement:
      return opcode::not_bool;
    default:
      return comparison(static_cast<token_kind>(b.immediate), b.op == op::real_compare);
  }
}

}  // namespace

void builder::copy_compute(const core::binding& b, const context& c, value to) {
  add(operation::compute, values_of(c, b), b.where, to == kNoValue ? fresh() : to).code =
      opcode_of(b);
}

}  // namespace idc::graph
