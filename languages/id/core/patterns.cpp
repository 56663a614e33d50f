// SPDX-License-Identifier: Apache-2.0
// Patterns: whether they match, and what they bind. A field is asked for only when what is around
// it has matched.
#include "languages/id/core/lowering.hpp"

namespace idc::core {

using pattern_kind = pattern::kind;

// Its variables get slots: what is bound together sees each other.
void lowering::declare(const pattern& p) {
  if (p.is == pattern_kind::variable) b_->slots[p.bound] = fresh(p.name);
  for (const pattern* part : p.parts) declare(*part);
}

void lowering::bind(const pattern& p, slot s) {
  if (p.is == pattern_kind::variable) deliver(s, {b_->slots[p.bound]}, p.where);
  for (std::size_t i = 0; i < p.parts.size(); ++i) {
    const pattern& part = *p.parts[i];
    if (part.is == pattern_kind::wildcard) continue;
    if (part.is == pattern_kind::variable)
      emit(operation::field, b_->slots[part.bound], {s}, part.where).immediate =
          static_cast<std::int64_t>(i);
    else if (!part.parts.empty())
      bind(part, value(operation::field, {s}, part.where, static_cast<std::int64_t>(i)));
  }
}

// The value, once it is known to match: no field of it is asked for before.
slot lowering::matched(const pattern& p, slot s, position where) {
  const slot matches = test(p, s);
  if (matches == kNoSlot) return s;
  const slot found = fresh();
  choose(
      matches, found, [&] { deliver(s, {found}, where); },
      [&] { emit(operation::no_match, found, {}, where); }, where);
  return found;
}

// A boolean; kNoSlot: it always matches.
slot lowering::test(const pattern& p, slot s) {
  const auto equal = static_cast<std::int64_t>(token_kind::equal);
  slot matches = kNoSlot;
  switch (p.is) {
    case pattern_kind::wildcard:
    case pattern_kind::variable:
      return kNoSlot;
    case pattern_kind::boolean:
      return p.integer != 0 ? s : value(operation::complement, {s}, p.where);
    case pattern_kind::integer:
      return value(operation::compare, {s, constant(p.integer, p.where)}, p.where, equal);
    case pattern_kind::string: {
      const slot text = value(operation::text, {}, p.where, text_number(p.name));
      return value(operation::text_compare, {s, text}, p.where, equal);
    }
    case pattern_kind::nil:
    case pattern_kind::cons:
    case pattern_kind::constructor: {
      if (p.made_by && p.made_by->of->constructors.size() == 1) break;
      const std::int64_t tag = p.made_by ? p.made_by->tag : p.is == pattern_kind::cons;
      const slot found = value(operation::tag, {s}, p.where);
      matches = value(operation::compare, {found, constant(tag, p.where)}, p.where, equal);
      break;
    }
    case pattern_kind::tuple:
      break;
  }
  const auto rest = [&] {
    return test_all(
        p.parts, 0,
        [&](std::size_t i) {
          return value(operation::field, {s}, p.where, static_cast<std::int64_t>(i));
        },
        p.where);
  };
  if (matches == kNoSlot) return rest();
  const slot to = fresh();
  bool is_more = false;
  choose(
      matches, to,
      [&] {
        const slot parts = rest();
        is_more = parts != kNoSlot;
        if (is_more) deliver(parts, {to}, p.where);
      },
      [&] { emit(operation::constant, to, {}, p.where); }, p.where);
  if (is_more) return to;
  b_->now->bindings.pop_back();  // the fields match anyway
  return matches;
}

slot lowering::test_all(std::span<pattern* const> patterns, std::size_t from,
                        const std::function<slot(std::size_t)>& value_of, position where) {
  const auto is_bare = [](const pattern& p) {
    return p.is == pattern_kind::wildcard || p.is == pattern_kind::variable;
  };
  for (; from < patterns.size(); ++from) {
    if (is_bare(*patterns[from])) continue;
    const slot matches = test(*patterns[from], value_of(from));
    if (matches == kNoSlot) continue;
    std::size_t next = from + 1;
    while (next < patterns.size() && is_bare(*patterns[next])) ++next;
    if (next == patterns.size()) return matches;
    const slot to = fresh();
    choose(
        matches, to,
        [&] {
          const slot others = test_all(patterns, next, value_of, where);
          if (others == kNoSlot)
            emit(operation::constant, to, {}, where).immediate = 1;
          else
            deliver(others, {to}, where);
        },
        [&] { emit(operation::constant, to, {}, where); }, where);
    return to;
  }
  return kNoSlot;
}

}  // namespace idc::core
