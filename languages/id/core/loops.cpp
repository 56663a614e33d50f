// SPDX-License-Identifier: Apache-2.0
// Loops and comprehensions: functions that call themselves for the next round.
#include <algorithm>
#include <limits>

#include "languages/id/core/lowering.hpp"

namespace idc::core {

void lowering::begin_loop(builder& b, std::string_view kind, position where) {
  now_->uses.push_back({nullptr, make_function({}, where), b_->made, kind, where});
  b.made = now_->uses.back().loop.get();
  b.made->is_loop = true;
  b.now = b.made->body;
  b.around = b_;
  b_ = &b;
}

// What the loop needs of around goes with every call of it.
slot_list lowering::end_loop(builder& b, slot_list arguments) {
  for (const variable* v : b.needed) b.made->parameters.push_back(b.slots[v]);
  for (const auto& [in, number] : b.self_calls)
    for (const variable* v : b.needed) in->bindings[number].operands.push_back(b.slots[v]);
  b_ = b.around;
  for (const variable* v : b.needed) arguments.push_back(slot_of(*v));
  return arguments;
}

void lowering::call_self(slot to, slot_list arguments, position where) {
  b_->self_calls.emplace_back(b_->now, b_->now->bindings.size());
  binding& made = emit(operation::call, to, std::move(arguments), where);
  made.callee = b_->made;
  made.is_tail = to == kNoSlot;
}

namespace {

bool has_plain_step(const generator& g) {
  return !g.step || (g.step->is == expression_kind::integer && g.step->integer >= 1);
}

}  // namespace

// A step that is not at least 1 ends the program.
slot lowering::step_of(const generator& g) {
  const slot step = lower(*g.step);
  const position where = g.step->where;
  const slot is_one = value(operation::compare, {step, constant(1, where)}, where,
                            static_cast<std::int64_t>(token_kind::greater_equal));
  const slot checked = fresh("step");
  choose(
      is_one, checked, [&] { emit(operation::move, checked, {step}, where); },
      [&] { emit(operation::wrong_step, checked, {step}, where); }, where);
  return checked;
}

// Counters below it (`downto`: above) have a next one: last - rest, or the least of all ints, which
// no counter is below. `rest` is the step less 1.
slot lowering::stop_of(const generator& g, slot last, slot rest) {
  const position where = g.where;
  if (g.downwards) {
    const slot most = constant(std::numeric_limits<std::int64_t>::max(), where);
    const slot room = value(operation::subtract, {most, rest}, where);
    return value(operation::add, {value(operation::minimum, {last, room}, where), rest}, where);
  }
  const slot least = constant(std::numeric_limits<std::int64_t>::min(), where);
  const slot room = value(operation::add, {least, rest}, where);
  return value(operation::subtract, {value(operation::maximum, {last, room}, where), rest}, where);
}

// Counter, whether there is a round, where it stops, and the step if the program does not say it by
// a number; or the list.
slot_list lowering::source_of(const generator& g) {
  if (g.is == generator::kind::list) return {lower(*g.first)};
  const slot first = lower(*g.first), last = lower(*g.last);
  const token_kind how = g.downwards ? token_kind::greater_equal : token_kind::less_equal;
  const slot goes_on =
      value(operation::compare, {first, last}, g.where, static_cast<std::int64_t>(how));
  if (has_plain_step(g)) {
    const std::int64_t rest = g.step ? g.step->integer - 1 : 0;
    return {first, goes_on, rest == 0 ? last : stop_of(g, last, constant(rest, g.where))};
  }
  const slot step = step_of(g);
  const slot rest = value(operation::subtract, {step, constant(1, g.where)}, g.where);
  return {first, goes_on, stop_of(g, last, rest), step};
}

// The same as parameters of the loop. Where it stops, and the step, stay the same.
slot_list lowering::begin_rounds(const generator& g, const slot_list& arguments) {
  slot_list source;
  if (g.is == generator::kind::list) {
    source = {fresh("rest")};
  } else {
    source = {fresh(g.target->name), fresh("goes_on"), fresh("stop")};
    if (!has_plain_step(g)) source.push_back(fresh("step"));
    b_->slots[g.target->bound] = source[0];
    for (std::size_t i = 2; i < source.size(); ++i) b_->kept.emplace_back(arguments[i], source[i]);
  }
  b_->made->parameters = source;
  return source;
}

slot lowering::has_round(const generator& g, const slot_list& source) {
  if (g.is == generator::kind::list) return value(operation::tag, {source[0]}, g.where);
  return source[1];
}

// Binds what this round works on; gives the source of the next.
slot_list lowering::next_round(const generator& g, const slot_list& source) {
  if (g.is == generator::kind::range) {
    const slot step =
        has_plain_step(g) ? constant(g.step ? g.step->integer : 1, g.where) : source[3];
    slot_list next = source;
    next[0] = value(g.downwards ? operation::subtract : operation::add, {source[0], step}, g.where);
    return next;
  }
  const slot head = value(operation::field, {source[0]}, g.where, 0);
  declare(*g.target);
  bind(*g.target, matched(*g.target, head, g.where));
  return {value(operation::field, {source[0]}, g.where, 1)};
}

// Behind all else of the round, so that compiled code branches where it compares.
void lowering::test_next(const generator& g, const slot_list& source, slot_list& next) {
  if (g.is == generator::kind::list) return;
  const token_kind how = g.downwards ? token_kind::greater : token_kind::less;
  next[1] =
      value(operation::compare, {source[0], source[2]}, g.where, static_cast<std::int64_t>(how));
}

void lowering::lower_loop(const expression& e, target to) {
  const generator* g = e.inside->generators.empty() ? nullptr : e.inside->generators[0];
  slot_list arguments = g ? source_of(*g) : slot_list();
  std::vector<const statement*> nexts;
  for (const statement* s : e.inside->statements)
    if (s->is == statement_kind::next) nexts.push_back(s);
  for (const statement* s : nexts) arguments.push_back(slot_of(*s->outer));
  builder inner;
  begin_loop(inner, g ? "for" : "while", e.where);
  const slot_list source = g ? begin_rounds(*g, arguments) : slot_list();
  for (const statement* s : nexts) {
    b_->slots[s->inner] = fresh(s->name);
    b_->made->parameters.push_back(b_->slots[s->inner]);
  }
  const slot goes_on = g ? has_round(*g, source) : lower(*e.parts[0]);
  const auto round = [&] {
    slot_list next = g ? next_round(*g, source) : slot_list();
    lower_statements(e);
    for (const statement* s : nexts) next.push_back(lower(*s->value));
    if (g) test_next(*g, source, next);
    call_self(kNoSlot, std::move(next), e.where);
  };
  const std::size_t result = g ? 0 : 1;
  const auto done = [&] {
    if (e.parts.size() > result) return lower(*e.parts[result], {});
    deliver(constant(0, e.where), {}, e.where);
  };
  choose(goes_on, kNoSlot, round, done, e.where);
  slot_list all = end_loop(inner, std::move(arguments));
  binding& call = emit(operation::call, to.to, std::move(all), e.where);
  call.callee = inner.made;
  call.is_tail = to.is_result();
}

// `leaf` for all that the generators bring.
void lowering::nest(std::span<generator* const> generators, const action& leaf, filling* of) {
  if (generators.empty()) return leaf();
  const generator& g = *generators.front();
  const auto others = generators.subspan(1);
  if (g.is == generator::kind::condition)
    return choose(lower(*g.first), kNoSlot, [&] { nest(others, leaf); }, [] {}, g.where);
  slot_list arguments = source_of(g);
  builder inner;
  begin_loop(inner, "fill", g.where);
  const slot_list source = begin_rounds(g, arguments);
  choose(
      has_round(g, source), kNoSlot,
      [&] {
        slot_list next = next_round(g, source);
        nest(others, leaf);
        test_next(g, source, next);
        call_self(kNoSlot, std::move(next), g.where);
      },
      [&] { deliver(constant(0, g.where), {}, g.where); }, g.where);
  if (of && g.is == generator::kind::range && g.target->bound == of->row) {
    inner.made->fills = inner.slots.at(of->array);
    inner.made->row = source[0];
    of->loop = inner.made;
  }
  slot_list all = end_loop(inner, std::move(arguments));
  emit(operation::call, fresh(), std::move(all), g.where).callee = inner.made;
}

namespace {

// The variable that is a region's first index; null: that is something else.
const variable* row_of(const idc::region& r) {
  const expression& index = *r.indices.front();
  return index.is == expression_kind::name ? index.refers : nullptr;
}

}  // namespace

void lowering::lower_array(const expression& e, target to) {
  slot_list bounds;
  const slot pair = lower(*e.parts[0]);
  if (e.inside->is_matrix) {
    for (std::int64_t i = 0; i < 2; ++i)
      lower_pair(value(operation::field, {pair}, e.where, i), bounds, e.where);
  } else {
    lower_pair(pair, bounds, e.where);
  }
  // Loops get the array as they get variables of the program.
  const auto made = std::make_unique<variable>();
  made->name = e.inside->is_matrix ? "matrix" : "array";
  const slot array = to.is_result() ? fresh(made->name) : to.to;
  emit(operation::allocate, array, bounds, e.where).immediate = e.inside->is_matrix ? 2 : 1;
  const std::size_t at = b_->now->bindings.size() - 1;
  std::size_t most = 0;
  b_->slots[made.get()] = array;
  if (to.is_result()) deliver(array, to, e.where);
  for (const idc::region* r : e.inside->regions) {
    filling of{made.get(), row_of(*r)};
    const auto store = [&] {
      slot_list operands = {slot_of(*made)};
      for (const expression* index : r->indices) operands.push_back(lower(*index));
      operands.push_back(lower(*r->value));
      emit(operation::store, kNoSlot, std::move(operands), r->where);
    };
    nest(r->generators, store, of.row ? &of : nullptr);
    if (!of.loop || r->generators.size() <= most) continue;
    most = r->generators.size();
    b_->now->bindings[at].filled_by = of.loop;
  }
  b_->slots.erase(made.get());
}

// The list of all that the generators bring, with `rest` behind it. A cell is there before what
// comes behind it.
void lowering::nest_list(const expression& e, std::span<generator* const> generators, slot rest,
                         target to) {
  if (generators.empty()) {
    const slot head = lower(*e.parts[0]);
    return deliver(value(operation::construct, {head, rest}, e.where, 1), to, e.where);
  }
  const generator& g = *generators.front();
  const auto others = generators.subspan(1);
  if (g.is == generator::kind::condition)
    return choose(
        lower(*g.first), to.to, [&] { nest_list(e, others, rest, to); },
        [&] { deliver(rest, to, e.where); }, g.where);
  slot_list arguments = source_of(g);
  arguments.push_back(rest);
  builder inner;
  begin_loop(inner, "list", g.where);
  const slot_list source = begin_rounds(g, arguments);
  const slot behind = fresh("behind");
  b_->made->parameters.push_back(behind);
  choose(
      has_round(g, source), kNoSlot,
      [&] {
        slot_list next = next_round(g, source);
        const slot others_behind = fresh();
        nest_list(e, others, others_behind, {});
        next.push_back(behind);
        test_next(g, source, next);
        call_self(others_behind, std::move(next), g.where);
      },
      [&] { deliver(behind, {}, g.where); }, g.where);
  slot_list all = end_loop(inner, std::move(arguments));
  binding& call = emit(operation::call, to.to, std::move(all), g.where);
  call.callee = inner.made;
  call.is_tail = to.is_result();
}

}  // namespace idc::core
