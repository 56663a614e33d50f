// SPDX-License-Identifier: Apache-2.0
// The walk over a program that resolves its names.
#ifndef IDC_NAMES_RESOLVER_HPP
#define IDC_NAMES_RESOLVER_HPP

#include <string>

#include "languages/id/names/names.hpp"

namespace idc {

class resolver {
 public:
  resolver(environment& known, program& of, frontend::arena& memory, frontend::messages& report,
           const place_finder& place_of)
      : known_(known), program_(of), memory_(memory), report_(report), place_of_(place_of) {}
  void run();

 private:
  // Definitions that see each other, and which of them needs which.
  struct group {
    std::uint32_t number;
    std::vector<std::vector<int>> needs;
    int current = -1;
  };
  // What a name stood for before it was bound in the scope that ends.
  struct shadowed {
    std::string_view name;
    variable* was;
  };
  // A scope: what is bound in it ends with it.
  class scope {
   public:
    explicit scope(resolver& of) : of_(of), first_(of.shadowed_.size()) {}
    ~scope();

   private:
    resolver& of_;
    std::size_t first_;
  };

  void declare_types();
  void declare(constructor& c);
  void check(const type_expression& t, const datatype* of);
  variable* declare(function& f, group* in, int member);
  void bind(variable* v);
  variable* bind_local(std::string_view name, position where, group* in = nullptr, int member = 0);

  void walk(function& f);
  void walk(pattern& p, group* in = nullptr, int member = 0);
  void walk(expression& e);
  void walk_parts(expression& e);
  void walk_name(expression& e);
  void walk_clause(clause& c);
  void check_once(std::size_t first, position where);  // of what is bound from there on
  void walk_block(expression& e);
  void walk_loop(expression& e);
  void walk_statements(expression& e);
  void declare(statement& s, group& in, int member);
  void walk(statement& s);
  void walk_generators(std::span<generator*> generators, std::size_t from, expression& value,
                       std::span<expression*> indices);
  void walk_bounds(generator& g);
  void walk_target(generator& g);
  void use(variable& v);
  void unknown(position where, std::string_view what, std::string_view name,
               const std::vector<std::string_view>& candidates);
  void error(position where, std::string_view text) { report_.error(place_of_(where), text); }
  void complete_captures();

  environment& known_;
  program& program_;
  frontend::arena& memory_;
  frontend::messages& report_;
  const place_finder& place_of_;
  std::vector<shadowed> shadowed_;
  std::vector<group*> open_;  // groups around what is walked
  function* here_ = nullptr;
};

}  // namespace idc

#endif
