// SPDX-License-Identifier: Apache-2.0
// Scopes: each identifier carries its innermost binding, so looking a name up is one load; leaving
// a scope takes off the bindings made in it.
#ifndef SPLITCC_SEMANTICS_SCOPES_HPP
#define SPLITCC_SEMANTICS_SCOPES_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "languages/splitc/compiler/lex/token.hpp"
#include "languages/splitc/compiler/semantics/unit_context.hpp"
#include "languages/splitc/compiler/tree/entity.hpp"

namespace splitcc {

// A name that the scope of a prototype bound.
struct kept_name {
  identifier* name;
  entity* is;  // null: a tag
  const type* tagged;  // null: an ordinary name
};

class scope_stack {
 public:
  explicit scope_stack(arena& memory) : memory_(memory) {}

  void enter();
  void leave();
  // The scope of a prototype ends before the function's name is declared, and is that of the body
  // if one follows. So the first leaves the scope and appends to `kept` what it bound; the second
  // enters a scope with the same bindings.
  void leave(std::vector<kept_name>& kept);
  void enter(std::span<const kept_name> kept);
  std::uint32_t depth() const { return depth_; }

  entity* function() const { return function_; }  // whose body is read; null: none
  void set_function(entity* function) { function_ = function; }

  // The innermost meaning of a name; null if it has none.
  entity* look_up(const identifier* name) const;
  const type* look_up_tag(const identifier* name) const;  // any scope
  const type* look_up_tag_here(const identifier* name) const;  // this scope
  bool is_typedef_name(const token& t) const;

  void bind(identifier* name, entity* e);  // in this scope
  void bind_tag(identifier* name, const type* t);

 private:
  struct bound_name {
    identifier* name;
    bool is_tag;
  };

  binding* binding_here(binding*& top, identifier* name, bool is_tag);

  arena& memory_;
  std::uint32_t depth_ = 0;
  entity* function_ = nullptr;
  // What leaving a scope takes back: the names bound in it, from scope_starts_.back() on.
  std::vector<bound_name> bound_;
  std::vector<std::size_t> scope_starts_;
  binding* free_bindings_ = nullptr;  // by `outer`
};

}  // namespace splitcc

#endif
