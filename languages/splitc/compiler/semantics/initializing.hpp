// SPDX-License-Identifier: Apache-2.0
// Giving a braced initializer its type: which object each value is for, with designators and with
// braces left out. (C17 6.7.9; GNU: ranges, empty braces, flexible array members.)
#ifndef SPLITCC_SEMANTICS_INITIALIZING_HPP
#define SPLITCC_SEMANTICS_INITIALIZING_HPP

#include <cstdint>
#include <span>
#include <vector>

#include "languages/splitc/compiler/semantics/assignable.hpp"

namespace splitcc {

class initializing : private assignment_rules {
 public:
  initializing(const assignment_rules& rules, bool is_static)
      : assignment_rules(rules), is_static_(is_static) {}

  // Returns t, completed if it was an array without a bound.
  qualified_type whole(qualified_type t, node*& value);

 private:
  // The values of a pair of braces, in order. `pending`: behind a designator, it comes first.
  struct cursor {
    std::span<node*> items;
    std::size_t at = 0;
    node** pending = nullptr;

    bool done() const { return !pending && at == items.size(); }
    node*& value() const { return pending ? *pending : items[at]; }
    void advance() {
      if (!pending) ++at;
      pending = nullptr;
    }
  };
  // Position in a record is the member's index, in an array or vector the element's.
  struct step {
    qualified_type in;
    std::uint64_t last;  // of a range; else the position
  };

  qualified_type completed(qualified_type t, node* value, std::uint64_t count);
  std::uint64_t braced(qualified_type t, node* list);
  void braced_scalar(qualified_type t, node* list);
  std::uint64_t fill(qualified_type t, cursor& c, std::uint64_t position, bool is_braced);
  void element(qualified_type t, cursor& c);
  void single(qualified_type t, node*& value);
  std::uint64_t designated(qualified_type t, node* designation, cursor& c);
  std::uint64_t descend(std::span<const step> steps, cursor& c);
  bool resolve(qualified_type t, node* designator, std::vector<step>& steps, qualified_type& to);
  bool resolve_index(qualified_type t, node* d, std::vector<step>& steps, qualified_type& to);
  bool resolve_member(qualified_type t, node* d, std::vector<step>& steps, qualified_type& to);
  void without_object(node*& value);
  void excess(const char* of, node*& value, bool& warned);
  void check_static_value(const node* e);  // static_values.cpp
  bool takes_whole(const type* t, const node* value) const;

  bool is_static_;
};

}  // namespace splitcc

#endif
