// SPDX-License-Identifier: Apache-2.0
// Initializers (initializing.hpp), except for designators.
#include "languages/splitc/compiler/semantics/initializers.hpp"
#include "languages/splitc/compiler/semantics/initializing.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"
#include "languages/splitc/compiler/semantics/positions.hpp"

namespace splitcc {
namespace {

bool is_string_for(const type* array, const node* value) {
  if (array->kind != type_kind::array || bare(value)->kind != node_kind::string) return false;
  const type *element = array->target.of, *unit = value->type->target.of;
  return is_integer(element) && size_of(element) == size_of(unit);
}

void take_translate(node* n) {
  for (const node* child : n->children) n->translate |= child && child->translate;
}

const char* kind_word(const type* t) {
  switch (t->kind) {
    case type_kind::structure:
      return "struct";
    case type_kind::union_:
      return "union";
    case type_kind::vector:
      return "vector";
    case type_kind::array:
      return "array";
    default:
      return "scalar";
  }
}

}  // namespace

node* initializer_rules::initializer(token_range r, std::span<node* const> items) {
  return make(node_kind::initializer, r, items);
}

node* initializer_rules::designation(token_range r, std::span<node* const> designators,
                                     node* value) {
  std::vector<node*> children(designators.begin(), designators.end());
  children.push_back(value);
  return make(node_kind::designation, r, children);
}

node* initializer_rules::designator_index(token_range r, node* first, node* last) {
  if (!last) return new_node(node_kind::designator_index, r, {first});
  return new_node(node_kind::designator_index, r, {first, last});
}

node* initializer_rules::designator_member(token_range r, identifier* name) {
  node* made = new_node(node_kind::designator_member, r);
  made->of_pass = name;
  return made;
}

qualified_type initializer_rules::initialize_type(qualified_type t, node*& initializer,
                                                  bool is_static) {
  return initializing(*this, is_static).whole(t, initializer);
}

qualified_type initializing::whole(qualified_type t, node*& value) {
  if (t->kind == type_kind::spread_array) {
    report_.error(value->at,
                  "a spread array cannot be initialized: its blocks lie on all processors");
    without_object(value);
    return t;
  }
  if (value->kind == node_kind::initializer) {
    const bool sized_at_run_time = t->kind == type_kind::array && t->bound == bound_kind::variable;
    if (sized_at_run_time && !value->children.empty())
      report_.error(value->at, "variable-sized object may not be initialized");
    return completed(t, value, braced(t, value));
  }
  if (t->kind == type_kind::array && !is_string_for(t.of, value)) {
    // GNU: an array of the same type, as in `int a[] = (int[]){1, 2};`.
    if (value->type->kind == type_kind::array && !is_global_lvalue(value) &&
        bare(value)->kind == node_kind::compound_literal && same_type(t.of, value->type.of))
      return completed(t, value, value->type->count);
    if (!is_unknown(value->type.of)) report_.error(value->at, "invalid initializer");
    return t;
  }
  single(t, value);
  return completed(t, value, value->type->kind == type_kind::array ? value->type->count : 0);
}

qualified_type initializing::completed(qualified_type t, node* value, std::uint64_t count) {
  if (t->kind != type_kind::array || t->bound != bound_kind::unknown) return t;
  const qualified_type full = {types_.array_of(t->target, bound_kind::constant, count, nullptr),
                               t.qualifiers};
  if (value->kind == node_kind::initializer) value->type = full;
  return full;
}

// Returns how many elements of an array it sets, the gaps between them included.
std::uint64_t initializing::braced(qualified_type t, node* list) {
  list->type = t;
  std::uint64_t past = 0;
  if (list->children.size() == 1 && list->children[0]->kind != node_kind::initializer &&
      list->children[0]->kind != node_kind::designation && is_string_for(t.of, list->children[0])) {
    single(t, list->children[0]);
    past = list->children[0]->type->count;
  } else if (is_aggregate(t.of)) {
    cursor c{list->children};
    past = fill(t, c, first_position(t.of), true);
  } else if (is_scalar(t.of)) {
    braced_scalar(t, list);
  } else {
    for (node*& item : list->children) without_object(item);
  }
  take_translate(list);
  return past;
}

void initializing::braced_scalar(qualified_type t, node* list) {
  bool is_first = true, warned = false;
  for (node*& item : list->children) {
    if (!is_first) {
      excess("scalar", item, warned);
    } else if (item->kind == node_kind::designation) {
      report_.error(item->at, "designator in the initializer of a scalar");
      without_object(item);
    } else if (item->kind == node_kind::initializer) {
      report_.warning(item->at, "", "braces around scalar initializer");
      braced(t, item);
    } else {
      single(t, item);
    }
    is_first = false;
  }
}

// The values from the cursor on for the subobjects of t from `position` on; without braces of its
// own only as many as t has room for, and none that is designated. Returns the position behind.
std::uint64_t initializing::fill(qualified_type t, cursor& c, std::uint64_t position,
                                 bool is_braced) {
  const std::uint64_t limit = positions(t.of);
  std::uint64_t past = 0;
  bool warned = false;
  while (!c.done()) {
    node*& value = c.value();
    if (!c.pending && value->kind == node_kind::designation) {
      if (!is_braced) break;
      position = designated(t, value, c);
    } else if (position >= limit) {
      if (!is_braced) break;
      excess(kind_word(t.of), value, warned);
      c.advance();
    } else {
      const cursor before = c;
      element(subobject(t, position), c);
      const bool took_nothing = c.at == before.at && c.pending == before.pending;
      if (took_nothing && !is_record(t.of)) {  // an array of empty structures
        excess("struct", value, warned);
        c.advance();
      }
      position = next_position(t.of, position);
    }
    past = std::max(past, position);
  }
  return past;
}

void initializing::element(qualified_type t, cursor& c) {
  node*& value = c.value();
  if (value->kind == node_kind::initializer) {
    c.advance();
    braced(t, value);
  } else if (is_aggregate(t.of) && !takes_whole(t.of, value)) {
    fill(t, c, first_position(t.of), false);
  } else {
    c.advance();
    single(t, value);
  }
}

// Whether an expression is the value of an aggregate, and not of its first part.
bool initializing::takes_whole(const type* t, const node* value) const {
  const type* from = value->type.of;
  if (t->kind == type_kind::array)
    return is_string_for(t, value) || bare(value)->kind == node_kind::compound_literal;
  if (t->kind == type_kind::vector) return from->kind == type_kind::vector;
  return is_record(from) && same_type(t, from);
}

void initializing::single(qualified_type t, node*& value) {
  if (is_string_for(t.of, value)) {
    const bool fits = t->bound != bound_kind::constant || value->type->count <= t->count + 1;
    if (!fits)
      report_.warning(
          value->at, "",
          "initializer-string for array of " + quoted({t->target.of, 0}) + " is too long");
    return;
  }
  if (t->kind == type_kind::array) return;
  assigned_as use;
  use.as = assigned_as::use::initialization;
  value = convert_for(value, {t.of, 0}, use);
  if (is_static_ && value->translate) check_static_value(value);
}

void initializing::excess(const char* of, node*& value, bool& warned) {
  if (!warned)
    report_.warning(value->at, "", std::string("excess elements in ") + of + " initializer");
  warned = true;
  without_object(value);
}

// Values for which there is no object.
void initializing::without_object(node*& value) {
  switch (value->kind) {
    case node_kind::initializer:
      for (node*& item : value->children) without_object(item);
      value->type = {unknown_type(), 0};
      take_translate(value);
      break;
    case node_kind::designation:
      without_object(value->children.back());
      value->type = {unknown_type(), 0};
      take_translate(value);
      break;
    default:
      value = operand(value);
  }
}

}  // namespace splitcc
