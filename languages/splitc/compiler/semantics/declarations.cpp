// SPDX-License-Identifier: Apache-2.0
// Declaring objects, functions, typedef names, parameters and enumerators. (C17 6.2.2, 6.7, 6.9.)
//
// A name of the library (<split-c/split-c.h>) is the program's if the program declares it itself;
// a system header's declaration of it (`sync`, `exit`) changes nothing, wherever it stands.
#include "languages/splitc/compiler/semantics/declarations.hpp"

namespace splitcc {
namespace {

entity_kind kind_of(const declaration_request& wanted) {
  if (wanted.where == storage::typedef_) return entity_kind::typedef_name;
  return wanted.type->kind == type_kind::function ? entity_kind::function : entity_kind::variable;
}

// What the C library, too, declares: a program that declares it means the library's all the same.
bool is_of_c_library(const identifier& name) { return name.text == "exit" || name.text == "sync"; }

}  // namespace

linkage declaration_rules::linkage_of(const declaration_request& wanted, entity_kind kind) const {
  if (kind == entity_kind::typedef_name) return linkage::none;
  const storage word = wanted.has_storage_class ? wanted.where : storage::automatic;
  if (scopes_.depth() == 0 && word == storage::static_) return linkage::internal;
  const bool as_extern = word == storage::extern_ || kind == entity_kind::function;
  if (as_extern) {
    const entity* visible = scopes_.look_up(wanted.name);
    if (visible && visible->link != linkage::none && !visible->is_library) return visible->link;
    return scopes_.depth() > 0 && word == storage::static_ ? linkage::internal : linkage::external;
  }
  return scopes_.depth() == 0 ? linkage::external : linkage::none;
}

// The declaration that this one repeats or clashes with.
entity* declaration_rules::earlier_for(const declaration_request& wanted, linkage link) const {
  const binding* top = wanted.name->ordinary;
  if (top && top->is && top->depth == scopes_.depth()) return top->is;
  if (link == linkage::none) return nullptr;
  if (top && top->is && top->is->link != linkage::none) return top->is;
  const auto known = externals_.find(wanted.name);
  if (known == externals_.end()) return nullptr;
  // A call may have declared what turns out to be static.
  return link == linkage::external || known->second->is_implicit ? known->second : nullptr;
}

entity* declaration_rules::new_entity(const declaration_request& wanted, entity_kind kind,
                                      linkage link) {
  entity* made = memory_.make<entity>();
  made->kind = kind;
  made->link = link;
  made->where = wanted.has_storage_class ? wanted.where : storage::automatic;
  if (kind == entity_kind::variable && scopes_.depth() == 0 && !wanted.has_storage_class)
    made->where = storage::static_;
  if (wanted.is_thread) made->where = storage::thread;
  made->name = wanted.name;
  made->type = wanted.type;
  made->first_at = made->at = wanted.at;
  made->depth = scopes_.depth();
  made->is_inline = wanted.is_inline;
  made->has_symbol = earlier_.asks_for_symbol(wanted);
  made->is_weak = wanted.is_weak;
  made->alignment_asked = wanted.alignment_asked;
  made->function = link == linkage::none ? scopes_.function() : nullptr;
  if (kind == entity_kind::function && options_.splitc && link == linkage::external &&
      wanted.name->text == "main")
    made->name_in_output = "splitc_main_or_main";
  return made;
}

entity* declaration_rules::declare_in_library(const declaration_request& wanted, entity_kind kind,
                                              linkage link) {
  entity* made = new_entity(wanted, kind, link);
  made->is_library = kind != entity_kind::typedef_name;
  made->name_in_output = wanted.assembler_name;
  const entity* earlier = scopes_.look_up(wanted.name);
  if (!earlier || earlier->is_library || in_system_header(earlier->at))
    scopes_.bind(wanted.name, made);
  return made;
}

entity* declaration_rules::declare_beside_library(entity* library,
                                                  const declaration_request& wanted,
                                                  entity_kind kind, linkage link) {
  const bool of_system = in_system_header(wanted.at);
  if (!of_system && is_of_c_library(*wanted.name) && kind == library->kind &&
      !wanted.is_definition && same_type(library->type.of, wanted.type.of))
    return library;
  entity* made = nullptr;
  const auto known = externals_.find(wanted.name);
  if (link == linkage::external && known != externals_.end() &&
      earlier_.agrees(*known->second, wanted, kind, link)) {
    made = known->second;
    earlier_.merge(*made, wanted);
  } else {
    made = new_entity(wanted, kind, link);
    if (link == linkage::external) externals_[wanted.name] = made;
  }
  if (!of_system) scopes_.bind(wanted.name, made);
  return made;
}

entity* declaration_rules::declare(const declaration_request& wanted) {
  const entity_kind kind = kind_of(wanted);
  const linkage link = linkage_of(wanted, kind);
  if (in_library_) return declare_in_library(wanted, kind, link);
  entity* earlier = earlier_for(wanted, link);
  if (earlier && earlier->is_library) return declare_beside_library(earlier, wanted, kind, link);
  const bool of_header = earlier && kind == entity_kind::function && !wanted.is_definition &&
                         earlier_.is_superfluous(*earlier, wanted.type, wanted.at);
  if (of_header || (earlier && earlier_.agrees(*earlier, wanted, kind, link))) {
    of_header ? earlier_.keep_header(*earlier, wanted) : earlier_.merge(*earlier, wanted);
    if (!wanted.name->ordinary || wanted.name->ordinary->is != earlier)
      scopes_.bind(wanted.name, earlier);
    return earlier;
  }
  entity* made = new_entity(wanted, kind, link);
  scopes_.bind(wanted.name, made);
  if (link == linkage::external) externals_[wanted.name] = made;
  return made;
}

entity* declaration_rules::declare_implicit_function(identifier* name, token_index at) {
  const auto known = externals_.find(name);
  if (known != externals_.end() && known->second->kind == entity_kind::function) {
    scopes_.bind(name, known->second);
    return known->second;
  }
  const type* t = types_.function_of({int_type(), 0}, {}, false, false);
  entity* made = new_entity({name, {t, 0}, at, storage::extern_, true, false, {}, false},
                            entity_kind::function, linkage::external);
  made->is_implicit = true;
  scopes_.bind(name, made);
  externals_[name] = made;
  return made;
}

entity* declaration_rules::declare_parameter(identifier* name, qualified_type type,
                                             token_index at) {
  entity* made = memory_.make<entity>();
  made->kind = entity_kind::parameter;
  made->name = name;
  made->type = type;
  made->at = at;
  made->depth = scopes_.depth();
  made->is_defined = true;
  if (!name) return made;
  if (name->ordinary && name->ordinary->is && name->ordinary->depth == scopes_.depth()) {
    report_.error(at, "redefinition of parameter " + quoted(name));
    earlier_.note_earlier(*name->ordinary->is, "definition");
  }
  scopes_.bind(name, made);
  return made;
}

entity* declaration_rules::declare_enumerator(identifier* name, __int128 value, const type* t,
                                              token_index at) {
  entity* made = memory_.make<entity>();
  made->kind = entity_kind::enumerator;
  made->name = name;
  made->type = {t, 0};
  made->at = made->defined_at = at;
  made->value = value;
  made->depth = scopes_.depth();
  made->is_defined = true;
  const binding* top = name->ordinary;
  if (top && top->is && top->depth == scopes_.depth() && !top->is->is_library) {
    const bool again = top->is->kind == entity_kind::enumerator;
    report_.error(at, again ? "redeclaration of enumerator " + quoted(name)
                            : quoted(name) + " redeclared as different kind of symbol");
    earlier_.note_earlier(*top->is, again ? "definition" : "declaration");
  }
  scopes_.bind(name, made);
  return made;
}

// gnu89: a definition for inlining alone may be followed by a real one.
void declaration_rules::begin_body(entity* function) {
  if (options_.gnu89_inline && redeclaration_rules::is_for_inlining_alone(*function)) return;
  if (function->is_defined) earlier_.report_redefinition(*function);
  function->is_defined = true;
  function->defined_at = function->at;
}

void declaration_rules::initialize(entity* e, node* initializer) {
  if (e->kind == entity_kind::typedef_name || e->kind == entity_kind::function) {
    report_.error(e->at, e->kind == entity_kind::function
                             ? "function " + quoted(e->name) + " is initialized like a variable"
                             : "typedef " + quoted(e->name) + " is initialized");
    return;
  }
  if (e->is_defined && e->link != linkage::none) earlier_.report_redefinition(*e);
  if (e->where == storage::extern_) e->where = storage::static_;
  e->is_defined = true;
  e->defined_at = e->at;
  const bool is_static = e->where == storage::static_ || e->where == storage::thread;
  e->type = initializers_.initialize_type(e->type, initializer, is_static);
  e->initializer = initializer;
}

qualified_type declaration_rules::adjust_parameter(qualified_type t) {
  switch (t->kind) {
    case type_kind::array: {
      const unsigned qualifiers = t.qualifiers | t->target.qualifiers;
      return {types_.pointer_to({t->target.of, static_cast<std::uint8_t>(qualifiers)}), 0};
    }
    case type_kind::spread_array: {
      // To the first block; of more than one spread dimension, to the first row of blocks, as in C,
      // for the subscripts need the bounds. As a value it is a pointer to the first block, too.
      if (t->spread_bounds.size() == 1) return {types_.pointer_to(t->target, reach::spread), 0};
      const std::vector<node*> rest(t->spread_bounds.begin() + 1, t->spread_bounds.end());
      return {types_.pointer_to({types_.spread_array_of(t->target, rest), 0}, reach::spread), 0};
    }
    case type_kind::function:
      return {types_.pointer_to(t), 0};
    default:
      return t;
  }
}

}  // namespace splitcc
