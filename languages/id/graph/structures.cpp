// SPDX-License-Identifier: Apache-2.0
// Tuples, cells, arrays and closures: structures whose elements are written once.
#include "languages/id/graph/builder.hpp"

namespace idc::graph {

// A value with constructors has the number of its own in its lowest bits, with operands or without.
std::int64_t builder::tag_of(const core::binding& construct) {
  if (construct.immediate >= kTags)
    throw unsupported{construct.where, "a type with more than 16 constructors is not compiled yet"};
  return construct.immediate;
}

// The structure is there at once; what it holds comes when it comes.
void builder::construct(const core::binding& b, const context& c, value to) {
  const std::int64_t tag = tag_of(b);
  const value_list parts = values_of(c, b);
  const value made =
      add(operation::allocate, {constant(static_cast<std::int64_t>(parts.size()))}, b.where);
  for (std::size_t i = 0; i < parts.size(); ++i)
    add(operation::store, {made, constant(static_cast<std::int64_t>(i)), parts[i]}, b.where,
        kNoValue)
        .immediate = 1;
  add(operation::tagged, {made}, b.where, to).immediate = tag;
}

void builder::close(const core::function& f, const value_list& given, position where, value to) {
  value_list kept = given;
  if (needs_globals(f)) kept.insert(kept.begin(), f_->globals);
  const auto words = static_cast<std::int64_t>(kept.size()) + kCodeWords;
  add(operation::allocate, {constant(words)}, where, to);
  const auto put = [&](std::int64_t at, value v) {
    add(operation::store, {to, constant(at), v}, where, kNoValue).immediate = 1;
  };
  for (std::int64_t i = 0; i < kCodeWords; ++i) {
    const value code = fresh();
    add(operation::code, {}, where, code).callee = wrapper_of(f, given.size(), i == 1);
    put(i, code);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    put(kCodeWords + static_cast<std::int64_t>(i), kept[i]);
}

// Bounds ahead of the elements. An M-structure has them for messages alone: those that the program
// reads are apart, with the structure behind them.
void builder::allocate(const core::binding& b, const context& c, value to) {
  const value_list bounds = values_of(c, b);
  const auto ahead = static_cast<std::int64_t>(bounds.size());
  const bool is_mutable = (b.immediate & core::kMutable) != 0;
  const value count = add(operation::extent, bounds, b.where, ahead);
  if (is_mutable) {
    const value elements = add(operation::allocate_m, {count}, b.where, ahead);
    for (std::int64_t i = 0; i < ahead; ++i)
      add(operation::put, {elements, constant(i), bounds[static_cast<std::size_t>(i)]}, b.where,
          kNoValue)
          .immediate = 1;
    // The header waits for the elements, so that all that have it have these.
    add(operation::allocate, {constant(ahead + 1)}, b.where, to);
    add(operation::store, {to, constant(ahead), elements}, b.where, kNoValue).immediate = 1;
  } else if (b.filled_by && rounds_are_spread(kernel_of(*b.filled_by))) {
    const value row =
        bounds.size() == 2 ? constant(1) : add(operation::extent, {bounds[2], bounds[3]}, b.where);
    add(operation::allocate, {count, row, bounds[0]}, b.where, to).immediate = ahead;
  } else {
    add(operation::allocate, {count}, b.where, to).immediate = ahead;
  }
  for (std::int64_t i = 0; i < ahead; ++i) {
    const value v = bounds[static_cast<std::size_t>(i)];
    add(operation::store, {to, constant(i), v}, b.where, kNoValue).immediate = 1;
    bounds_[{now_, to, i}] = v;
  }
}

// A bound is known where the array is made, and where it was asked for already.
value builder::bound(value array, std::int64_t which, position where) {
  for (const region* r = now_; r; r = r->around) {
    const auto known = bounds_.find({r, array, which});
    if (known != bounds_.end()) return known->second;
  }
  const value found = add(operation::fetch, {array, constant(which)}, where, std::int64_t{1});
  bounds_[{now_, array, which}] = found;
  return found;
}

value builder::data_of(value array, bool is_mutable, std::int64_t dimensions, position where) {
  return is_mutable ? bound(array, 2 * dimensions, where) : array;
}

void builder::access(const core::binding& b, const context& c, value to) {
  const bool is_m = b.op == core::operation::take || b.op == core::operation::examine ||
                    b.op == core::operation::put;
  const bool stores = b.op == core::operation::store || b.op == core::operation::put;
  const value_list operands = values_of(c, b);
  const value array = operands[0];
  const std::size_t dimensions = operands.size() - (stores ? 2 : 1);
  value_list parts;
  for (std::size_t i = 0; i < dimensions; ++i) {
    parts.push_back(operands[1 + i]);
    for (std::size_t k = 0; k < 2; ++k)
      parts.push_back(bound(array, static_cast<std::int64_t>(2 * i + k), b.where));
  }
  const auto count = static_cast<std::int64_t>(dimensions);
  const value at = add(operation::offset, parts, b.where, 2 * count);
  const value elements = data_of(array, is_m, count, b.where);
  if (stores) {
    add(is_m ? operation::put : operation::store, {elements, at, operands.back()}, b.where,
        kNoValue);
    return;
  }
  if (to == kNoValue && !is_m) return;
  if (to == kNoValue) to = fresh();
  add(is_m ? operation::take : operation::fetch, {elements, at}, b.where, to);
  if (b.op == core::operation::examine) add(operation::put, {elements, at, to}, b.where, kNoValue);
}

}  // namespace idc::graph
