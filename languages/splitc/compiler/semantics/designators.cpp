// SPDX-License-Identifier: Apache-2.0
// Designators in initializers: `.member`, `[index]`, `[first ... last]`, and chains of them.
#include "languages/splitc/compiler/semantics/initializing.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"
#include "languages/splitc/compiler/semantics/positions.hpp"

namespace splitcc {

bool initializing::resolve_index(qualified_type t, node* d, std::vector<step>& steps,
                                 qualified_type& to) {
  if (t->kind != type_kind::array && t->kind != type_kind::vector) {
    report_.error(d->at, "array index in non-array initializer");
    return false;
  }
  const auto first = constant_integer(d->children[0], "array index in initializer");
  const auto last = d->children.size() > 1
                        ? constant_integer(d->children[1], "array index in initializer")
                        : first;
  if (!first || !last) return false;
  if (*first < 0 || static_cast<std::uint64_t>(*last) >= positions(t.of)) {
    report_.error(d->at, "array index in initializer exceeds array bounds");
    return false;
  }
  if (*last < *first) {
    report_.error(d->at, "empty index range in initializer");
    return false;
  }
  steps.push_back({t, static_cast<std::uint64_t>(*last)});
  to = t->target;
  return true;
}

bool initializing::resolve_member(qualified_type t, node* d, std::vector<step>& steps,
                                  qualified_type& to) {
  if (!is_record(t.of)) {
    report_.error(d->at, "field name not in record or union initializer");
    return false;
  }
  const identifier* name = static_cast<const identifier*>(d->of_pass);
  std::vector<const member*> path;
  d->accessed = find_member(*t->record, name, &path);
  if (!d->accessed) {
    report_.error(d->at, quoted(t) + " has no member named " + quoted(name));
    return false;
  }
  for (const member* m : path) {
    const auto position = static_cast<std::uint64_t>(m - t->record->members.data());
    steps.push_back({t, position});
    t = m->type;
  }
  d->type = to = t;
  return true;
}

bool initializing::resolve(qualified_type t, node* designator, std::vector<step>& steps,
                           qualified_type& to) {
  return designator->kind == node_kind::designator_member ? resolve_member(t, designator, steps, to)
                                                          : resolve_index(t, designator, steps, to);
}

// The value behind the designators, and those that follow it into the same part of t. Returns the
// position of t behind that part.
std::uint64_t initializing::designated(qualified_type t, node* designation, cursor& c) {
  std::vector<step> steps;
  qualified_type to = t;
  c.advance();
  for (node* d : designation->children.first(designation->children.size() - 1))
    if (!resolve(to, d, steps, to)) {
      without_object(designation->children.back());
      designation->type = {unknown_type(), 0};
      designation->translate |= designation->children.back()->translate;
      return first_position(t.of);
    }
  designation->type = to;
  c.pending = &designation->children.back();
  const std::uint64_t behind = descend(steps, c);
  designation->translate |= designation->children.back()->translate;
  return behind;
}

std::uint64_t initializing::descend(std::span<const step> steps, cursor& c) {
  const step& here = steps.front();
  const qualified_type part = subobject(here.in, here.last);
  if (steps.size() == 1) {
    element(part, c);
  } else {
    const std::uint64_t position = descend(steps.subspan(1), c);
    fill(part, c, position, false);
  }
  // An empty structure takes no value: it is passed over with the value.
  if (c.pending) {
    without_object(*c.pending);
    c.advance();
  }
  return next_position(here.in.of, here.last);
}

}  // namespace splitcc
