// SPDX-License-Identifier: Apache-2.0
// From the derivations of a declarator to its type. (C17 6.7.6.)
#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

namespace {

std::string named(const declarator_parts& d) {
  return d.name ? "'" + std::string(d.name->text) + "'" : "type name";
}

token_index place_of(const declarator_parts& d) { return d.name ? d.name_at : d.first; }

}  // namespace

// Takes the derivations off the stack, the one farthest from the name first.
qualified_type parser::derive(const declarator_parts& d, qualified_type base) {
  qualified_type t = base;
  std::size_t i = derivations_.size();
  while (i > d.derivations_first) {
    const derivation& step = derivations_[--i];
    switch (step.step) {
      case derivation::kind::pointer:
        t = derive_pointer(step, t);
        break;
      case derivation::kind::array:
        t = derive_array(step, t, d);
        break;
      case derivation::kind::function:
        t = derive_function(step, t, d);
        break;
      case derivation::kind::spread_bound: {
        const std::size_t last = i + 1;
        while (!derivations_[i].starts_spread) --i;
        t = derive_spread(std::span(derivations_).subspan(i, last - i), t, d);
        break;
      }
    }
  }
  derivations_.resize(d.derivations_first);
  return t;
}

qualified_type parser::derive_pointer(const derivation& step, qualified_type t) {
  if (t->kind == type_kind::spread_array) {
    error(step.at, "a pointer to a spread array: its name is a spread pointer already");
    return error_type();
  }
  return {meaning_.types().pointer_to(t, step.view), step.qualifiers};
}

qualified_type parser::derive_array(const derivation& step, qualified_type t,
                                    const declarator_parts& d) {
  const char* what = nullptr;
  switch (t->kind) {
    case type_kind::error:
      return t;
    case type_kind::function:
      what = "as array of functions";
      break;
    case type_kind::void_:
      what = "as array of voids";
      break;
    case type_kind::spread_array:
      what = "as array of spread arrays";
      break;
    default:
      if (!is_complete(t.of) && t->kind != type_kind::enumeration)
        what = "as array of an incomplete type";
  }
  if (what) {
    error(place_of(d), "declaration of " + named(d) + " " + what);
    return error_type();
  }
  return {meaning_.types().array_of(t, step.bound, step.count, step.bound_node), 0};
}

qualified_type parser::derive_spread(std::span<const derivation> bounds, qualified_type t,
                                     const declarator_parts& d) {
  const qualified_type block = derive_array({}, t, d);
  if (block->kind == type_kind::error) return block;
  std::vector<node*> nodes;
  nodes.reserve(bounds.size());
  for (const derivation& b : bounds) nodes.push_back(b.bound_node);
  return {meaning_.types().spread_array_of(t, std::move(nodes)), 0};
}

qualified_type parser::derive_function(const derivation& step, qualified_type t,
                                       const declarator_parts& d) {
  const char* what = t->kind == type_kind::function       ? "a function"
                     : t->kind == type_kind::array        ? "an array"
                     : t->kind == type_kind::spread_array ? "a spread array"
                                                          : nullptr;
  if (what) {
    error(place_of(d), named(d) + " declared as function returning " + what);
    return error_type();
  }
  const function_part& part = *step.function;
  return {meaning_.types().function_of(t, part.parameters, part.variadic, part.prototyped), 0};
}

}  // namespace splitcc
