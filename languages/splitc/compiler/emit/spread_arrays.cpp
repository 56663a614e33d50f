// SPDX-License-Identifier: Apache-2.0
// Declared spread arrays: objects of 64 bits that point to the first block. Automatic ones take
// their blocks from the symmetric stack and give them back at every way out of their block, by the
// attribute cleanup; those of file scope and static ones are placed before the program starts.
#include "languages/splitc/compiler/emit/emission.hpp"
#include "languages/splitc/compiler/emit/places.hpp"

namespace splitcc {

void emission::spread_array(const declarator_info& d, const specifier_text& specifiers) {
  const entity& e = *d.declared;
  const std::string name(e.name->text);
  const std::string type_of_name = pointer_name(reach::spread, d.type->target);
  if (e.link == linkage::none && e.where == storage::static_) {
    const std::string own = "splitc_" + name + "_" + std::to_string(++names_);
    hoisted_[&e] = own;
    out_.put_before_declaration("static " + type_of_name + " " + own + ";");
    placed_.push_back({&e, own});
    return;
  }
  if (e.link == linkage::none) return automatic_spread_array(d);
  out_.text(specifiers.storage);
  out_.text(" ");
  out_.text(type_of_name + " " + name);
  if (d.suffix_first != kNoToken && d.suffix_first < d.last)
    out_.tokens_again(d.suffix_first, d.last);
  const bool is_defined = e.where != storage::extern_;
  if (is_defined && placed_entities_.insert(&e).second) placed_.push_back({&e, name});
}

void emission::automatic_spread_array(const declarator_info& d) {
  const entity& e = *d.declared;
  keep_bounds(d.type.of);
  const std::string frame = new_name();
  out_.text("struct splitc_automatic " + frame +
            " __attribute__((__cleanup__(splitc_automatic_end))); ");
  out_.text(pointer_name(reach::spread, d.type->target) + " " + std::string(e.name->text) + " = " +
            access_call("automatic_array") + "(&" + frame + ", " + blocks(d.type.of) + ", " +
            size_of_type(d.type->target) + ")");
}

// The bounds of an object's type are what they were at its declaration.
void emission::keep_bounds(const type* t) {
  if (t->kind == type_kind::spread_array)
    for (const node* n : t->spread_bounds) keep_bound(n);
  if (t->kind == type_kind::array && t->bound == bound_kind::variable) keep_bound(t->bound_node);
  if (t->kind == type_kind::spread_array || t->kind == type_kind::array || is_any_pointer(t))
    keep_bounds(t->target.of);
}

// Those of a parameter, what they are when the function is entered.
void emission::keep_parameter_bounds(const type* function) {
  for (const parameter& p : function->parameters) {
    if (!is_variably_modified(p.type.of) || !has_wide_part(p.type.of)) continue;
    out_.text(" ");
    keep_bounds(p.type.of);
  }
}

// A typedef's are kept at the first variable of the type.
void emission::keep_bound(const node* n) {
  if (!n || n->is_constant || n->kind == node_kind::number || late_lengths_.contains(n) ||
      kept_bounds_.contains(n))
    return;
  const std::string name = new_name();
  out_.text("const long " + name + " __attribute__((__unused__)) = " + bound(n) + "; ");
  kept_bounds_[n] = name;
}

// How many, as a product of type long.
std::string emission::blocks(const type* spread_array) {
  std::string product;
  for (const node* n : spread_array->spread_bounds) {
    if (!product.empty()) product += " * ";
    product += "(long)(" + bound(n) + ")";
  }
  return "(" + product + ")";
}

// What runs before the program: it places the arrays that this unit defines.
void emission::starts() {
  if (placed_.empty()) return;
  out_.text("static void splitc_unit_starts(void) {");
  for (const placed_array& a : placed_) {
    const type* t = a.array->type.of;
    const auto bytes = size_of(t->target.of);
    out_.text(" splitc_place_spread_array(&" + a.name + ", " + blocks(t) + ", " +
              (bytes ? std::to_string(*bytes) : size_of_type(t->target)) + ", \"" +
              std::string(a.array->name->text) + "\");");
  }
  out_.text(" } static struct splitc_start splitc_unit_start = {splitc_unit_starts, 0};");
  out_.text(
      " static void __attribute__((__constructor__)) splitc_unit_announces(void) "
      "{ splitc_at_start(&splitc_unit_start); }");
}

}  // namespace splitcc
