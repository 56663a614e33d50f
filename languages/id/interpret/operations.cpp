// SPDX-License-Identifier: Apache-2.0
// What each operation does once its operands are there.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "languages/id/interpret/machine.hpp"

namespace idc::interpret {

using core::operation;

namespace {

template <class T>
bool holds(token_kind how, const T& x, const T& y) {
  switch (how) {
    case token_kind::equal:
      return x == y;
    case token_kind::not_equal:
      return x != y;
    case token_kind::less:
      return x < y;
    case token_kind::less_equal:
      return x <= y;
    case token_kind::greater:
      return x > y;
    default:
      return x >= y;
  }
}

double real(value v) { return std::bit_cast<double>(v); }
value real(double v) { return std::bit_cast<value>(v); }
std::int64_t integer(value v) { return static_cast<std::int64_t>(v); }
const std::string& text(value v) { return *std::bit_cast<const std::string*>(v); }

value truncated(double x, position where) {
  if (!(x >= -0x1p63 && x < 0x1p63))
    throw run_error{where, "the float " + std::to_string(x) + " is not an int"};
  return static_cast<value>(static_cast<std::int64_t>(x));
}

}  // namespace

// Integers have 64 bits, and wrap.
value machine::integer_result(const core::binding& b, std::int64_t x, std::int64_t y) const {
  const auto ux = static_cast<value>(x), uy = static_cast<value>(y);
  switch (b.op) {
    case operation::add:
      return ux + uy;
    case operation::subtract:
      return ux - uy;
    case operation::multiply:
      return ux * uy;
    case operation::negate:
      return 0 - ux;
    case operation::absolute:
      return x < 0 ? 0 - ux : ux;
    case operation::minimum:
      return static_cast<value>(std::min(x, y));
    case operation::maximum:
      return static_cast<value>(std::max(x, y));
    default:
      break;
  }
  if (y == 0) throw run_error{b.where, "division by zero"};
  if (y == -1) return b.op == operation::divide ? 0 - ux : 0;  // the least one has no negative
  return static_cast<value>(b.op == operation::divide ? x / y : x % y);
}

value machine::compute(const frame& f, const core::binding& b) const {
  const value x = b.operands.empty() ? 0 : at(f, b, 0);
  const value y = b.operands.size() < 2 ? 0 : at(f, b, 1);
  const auto how = static_cast<token_kind>(b.immediate);
  switch (b.op) {
    case operation::constant:
      return static_cast<value>(b.immediate);
    case operation::text:
      return std::bit_cast<value>(&program_.texts[static_cast<std::size_t>(b.immediate)]);
    case operation::move:
      return x;
    case operation::compare:
      return holds(how, integer(x), integer(y));
    case operation::real_compare:
      return holds(how, real(x), real(y));
    case operation::text_compare:
      return holds(how, text(x), text(y));
    case operation::real_add:
      return real(real(x) + real(y));
    case operation::real_subtract:
      return real(real(x) - real(y));
    case operation::real_multiply:
      return real(real(x) * real(y));
    case operation::real_divide:
      return real(real(x) / real(y));
    case operation::real_negate:
      return real(-real(x));
    case operation::real_absolute:
      return real(std::abs(real(x)));
    case operation::real_minimum:
      return real(std::min(real(x), real(y)));
    case operation::real_maximum:
      return real(std::max(real(x), real(y)));
    case operation::to_real:
      return real(static_cast<double>(integer(x)));
    case operation::to_integer:
      return truncated(real(x), b.where);
    case operation::square_root:
      return real(std::sqrt(real(x)));
    case operation::sine:
      return real(std::sin(real(x)));
    case operation::cosine:
      return real(std::cos(real(x)));
    case operation::exponential:
      return real(std::exp(real(x)));
    case operation::logarithm:
      return real(std::log(real(x)));
    case operation::complement:
      return x == 0;
    case operation::tag:
      return static_cast<value>(std::bit_cast<const object*>(x)->tag);
    case operation::bound:
      return static_cast<value>(
          std::bit_cast<const array*>(x)->bounds[static_cast<std::size_t>(b.immediate)]);
    default:
      return integer_result(b, integer(x), integer(y));
  }
}

bool machine::execute(frame& f, const core::binding& b) {
  switch (b.op) {
    case operation::construct:
      construct(f, b);
      return true;
    case operation::field: {
      const auto* o = std::bit_cast<const object*>(at(f, b, 0));
      link_result(o->fields[static_cast<std::size_t>(b.immediate)], f, b);
      return true;
    }
    case operation::allocate:
      allocate(f, b);
      return true;
    case operation::fetch:
    case operation::take:
    case operation::examine:
    case operation::store:
    case operation::put:
      access(f, b);
      return true;
    case operation::closure:
      close(f, b);
      return true;
    case operation::global:
      return read_global(f, b);
    case operation::call:
      return begin_call(f, b);
    case operation::apply:
      return begin_apply(f, b);
    case operation::choice:
      return begin_choice(f, b);
    case operation::no_match:
      throw run_error{b.where, "no pattern matches"};
    case operation::wrong_step:
      throw run_error{b.where, "the step of a loop is " + std::to_string(integer(at(f, b, 0))) +
                                   ", and must be at least 1"};
    case operation::give:
      fill(*f.result, at(f, b, 0));
      done(f.result_owner);
      done(&f);
      return true;
    default:
      fill(f.slots[b.to], compute(f, b));
      done(&f);
      return true;
  }
}

// The cells are there at once; what they hold comes when it comes.
void machine::construct(frame& f, const core::binding& b) {
  auto* made = new (allocate(sizeof(object))) object();
  made->tag = b.immediate;
  made->fields = {make_cells(b.operands.size()), b.operands.size()};
  for (std::size_t i = 0; i < b.operands.size(); ++i)
    link(f.slots[b.operands[i]], made->fields[i], nullptr);
  fill(f.slots[b.to], std::bit_cast<value>(made));
  done(&f);
}

void machine::allocate(frame& f, const core::binding& b) {
  auto* made = new (allocate(sizeof(array))) array();
  made->dimensions = b.immediate & 3;
  made->is_mutable = (b.immediate & core::kMutable) != 0;
  made->where = b.where;
  constexpr std::uint64_t kElementsMax = std::uint64_t{1} << 30;
  std::uint64_t count = 1;
  for (std::size_t i = 0; i < b.operands.size(); ++i) {
    made->bounds[i] = integer(at(f, b, i));
    if (i % 2 == 0) continue;
    const std::int64_t lower = made->bounds[i - 1], upper = made->bounds[i];
    const value extent =
        upper < lower ? 0 : static_cast<value>(upper) - static_cast<value>(lower) + 1;
    count *= std::min(extent, kElementsMax + 1);
  }
  if (count > kElementsMax) throw run_error{b.where, "an array of more than 2^30 elements"};
  made->cells = {make_cells(count), count};
  arrays_.push_back(made);
  fill(f.slots[b.to], std::bit_cast<value>(made));
  done(&f);
}

cell& machine::element(const frame& f, const core::binding& b) {
  const auto* a = std::bit_cast<const array*>(at(f, b, 0));
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a->dimensions); ++i) {
    const std::int64_t index = integer(at(f, b, i + 1));
    const std::int64_t lower = a->bounds[2 * i], upper = a->bounds[2 * i + 1];
    if (index < lower || index > upper)
      throw run_error{b.where, "index " + std::to_string(index) + " is outside of (" +
                                   std::to_string(lower) + ", " + std::to_string(upper) + ")"};
    offset = offset * static_cast<value>(upper - lower + 1) + static_cast<value>(index - lower);
  }
  return a->cells[offset];
}

void machine::access(frame& f, const core::binding& b) {
  cell& c = element(f, b);
  if (b.op == operation::store || b.op == operation::put) {
    const value v = at(f, b, b.operands.size() - 1);
    if (c.is_present()) {
      std::string text = b.op == operation::store ? "a second write of element ["
                                                  : "a put into the full element [";
      for (std::size_t i = 1; i + 1 < b.operands.size(); ++i)
        text += (i == 1 ? "" : ", ") + std::to_string(integer(at(f, b, i)));
      throw run_error{b.where, text + "]"};
    }
    return put(c, f, b, v);
  }
  if (b.op != operation::take) return link_result(c, f, b);
  cell& to = f.slots[b.to];
  if (!c.is_present()) return wait(c, {&f, &to, &b, true, nullptr});
  c.waiting = nullptr;
  fill(to, c.holds);
  done(&f);
}

// All that only look see the value; the first that takes it leaves the element empty again, and
// those behind it wait on.
void machine::put(cell& c, frame& f, const core::binding& b, value v) {
  waiter* taken_by = nullptr;
  if (b.op == operation::put) {
    waiter** w = &c.waiting;
    for (waiter** each = w; *each; each = &(*each)->next)
      if ((*each)->takes) w = each;  // the last of the list came first
    if (*w && (*w)->takes) {
      taken_by = *w;
      *w = taken_by->next;
    }
  }
  if (!taken_by) {
    fill(c, v);
    return done(&f);
  }
  std::vector<waiter> others;  // that take, too
  for (waiter** each = &c.waiting; *each;) {
    if (!(*each)->takes) {
      each = &(*each)->next;
      continue;
    }
    others.push_back(**each);
    *each = (*each)->next;
  }
  fill(c, v);
  c.waiting = nullptr;
  for (auto w = others.rbegin(); w != others.rend(); ++w) wait(c, *w);
  fill(*taken_by->copy_to, v);
  done(taken_by->owner);
  done(&f);
}

void machine::close(frame& f, const core::binding& b) {
  auto* made = new (allocate(sizeof(closure))) closure();
  made->code = b.callee;
  made->given = {make_cells(b.operands.size()), b.operands.size()};
  for (std::size_t i = 0; i < b.operands.size(); ++i)
    link(f.slots[b.operands[i]], made->given[i], nullptr);
  fill(f.slots[b.to], std::bit_cast<value>(made));
  done(&f);
}

bool machine::begin_call(frame& f, const core::binding& b) {
  frame& callee = *make_frame(*b.callee);
  for (std::size_t i = 0; i < b.operands.size(); ++i)
    link(f.slots[b.operands[i]], callee.slots[b.callee->parameters[i]], &callee);
  callee.result = b.is_tail ? f.result : &f.slots[b.to];
  callee.result_owner = b.is_tail ? f.result_owner : &f;
  if (b.is_tail) done(&f);
  return enter(callee);
}

bool machine::begin_apply(frame& f, const core::binding& b) {
  const auto& c = *std::bit_cast<const closure*>(at(f, b, 0));
  const cell& argument = f.slots[b.operands[1]];
  const std::size_t given = c.given.size();
  if (given + 1 == c.code->parameters.size()) {
    frame& callee = *make_frame(*c.code);
    for (std::size_t i = 0; i < given; ++i)
      link(c.given[i], callee.slots[c.code->parameters[i]], &callee);
    link(argument, callee.slots[c.code->parameters[given]], &callee);
    callee.result = b.is_tail ? f.result : &f.slots[b.to];
    callee.result_owner = b.is_tail ? f.result_owner : &f;
    if (b.is_tail) done(&f);
    return enter(callee);
  }
  auto* made = new (allocate(sizeof(closure))) closure();
  made->code = c.code;
  made->given = {make_cells(given + 1), given + 1};
  for (std::size_t i = 0; i < given; ++i) link(c.given[i], made->given[i], nullptr);
  link(argument, made->given[given], nullptr);
  fill(b.is_tail ? *f.result : f.slots[b.to], std::bit_cast<value>(made));
  if (b.is_tail) done(f.result_owner);
  done(&f);
  return true;
}

bool machine::begin_choice(frame& f, const core::binding& b) {
  const auto& bindings = (at(f, b, 0) != 0 ? b.yes : b.no)->bindings;
  f.left += bindings.size();
  done(&f);
  if (bindings.empty()) return true;
  tasks_.push_back({&f, bindings.data(), bindings.data() + bindings.size()});
  return false;
}

// A definition without parameters is evaluated when it is needed first.
bool machine::read_global(frame& f, const core::binding& b) {
  cell*& known = globals_[b.callee->number];
  const bool is_first = !known;
  if (is_first) known = make_cells(1);
  link_result(*known, f, b);
  if (!is_first) return true;
  frame& callee = *make_frame(*b.callee);
  callee.result = known;
  return enter(callee);
}

}  // namespace idc::interpret
