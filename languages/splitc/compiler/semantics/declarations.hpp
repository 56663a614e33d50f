// SPDX-License-Identifier: Apache-2.0
// Declares objects, functions, typedef names, parameters and enumerators in the current scope.
#ifndef SPLITCC_SEMANTICS_DECLARATIONS_HPP
#define SPLITCC_SEMANTICS_DECLARATIONS_HPP

#include <unordered_map>

#include "languages/splitc/compiler/semantics/initializers.hpp"
#include "languages/splitc/compiler/semantics/redeclarations.hpp"
#include "languages/splitc/compiler/semantics/scopes.hpp"

namespace splitcc {

class declaration_rules : private node_maker {
 public:
  declaration_rules(unit_context& unit, scope_stack& scopes, initializer_rules& initializers)
      : node_maker(unit), scopes_(scopes), initializers_(initializers), earlier_(unit) {}

  // Merges with an earlier declaration: linkage, composite types, tentative definitions, clashes.
  entity* declare(const declaration_request& wanted);
  entity* declare_parameter(identifier* name, qualified_type type, token_index at);
  entity* declare_enumerator(identifier* name, __int128 value, const type* t, token_index at);
  // gnu89: `extern int name();` for a call of a name that has no declaration in scope.
  entity* declare_implicit_function(identifier* name, token_index at);
  bool is_superfluous(const entity& e, qualified_type declared, token_index at) const {
    return earlier_.is_superfluous(e, declared, at);
  }
  // The initializer was read: completes the type of `int a[] = {...}`, converts, marks defined.
  // e->initializer is what became of it.
  void initialize(entity* e, node* initializer);
  void begin_body(entity* function);  // marks it defined
  // Between `#pragma splitc library begin` and `end`: declares entities of the library.
  void set_library(bool on) { in_library_ = on; }
  qualified_type adjust_parameter(qualified_type t);  // arrays, spread arrays, functions

 private:
  entity* new_entity(const declaration_request& wanted, entity_kind kind, linkage link);
  linkage linkage_of(const declaration_request& wanted, entity_kind kind) const;
  entity* earlier_for(const declaration_request& wanted, linkage link) const;
  entity* declare_in_library(const declaration_request& wanted, entity_kind kind, linkage link);
  entity* declare_beside_library(entity* library, const declaration_request& wanted,
                                 entity_kind kind, linkage link);

  scope_stack& scopes_;
  initializer_rules& initializers_;
  redeclaration_rules earlier_;
  bool in_library_ = false;
  // All objects and functions with external linkage, those of scopes that were left included.
  std::unordered_map<const identifier*, entity*> externals_;
};

}  // namespace splitcc

#endif
