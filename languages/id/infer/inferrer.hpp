// SPDX-License-Identifier: Apache-2.0
// The walk over a program that types it.
#ifndef IDC_INFER_INFERRER_HPP
#define IDC_INFER_INFERRER_HPP

#include <string>
#include <unordered_map>

#include "languages/id/infer/infer.hpp"

namespace idc {

class inferrer {
 public:
  inferrer(program& of, type_store& types, frontend::messages& report, const place_finder& place_of)
      : program_(of), types_(types), report_(report), place_of_(place_of) {}
  void run();

 private:
  using variables = std::unordered_map<std::string_view, type*>;
  // Why a type is wanted, in up to three parts: a sentence is made of it only for a message.
  struct reason {
    reason(const char* all) : before(all) {}
    reason(std::string_view first, std::string_view named, std::string_view behind)
        : before(first), name(named), after(behind) {}
    std::string text() const { return std::string(before).append(name).append(after); }
    std::string_view before, name, after;
  };

  // definitions.cpp
  void declare(datatype& d);
  type* read(const type_expression& t, variables& named, bool is_generic);
  void infer_group(const std::vector<function*>& group);
  void begin(function& f);
  void finish(function& f);
  type* infer(function& f);
  void infer_statements(expression& e);
  void infer_group(const std::vector<statement*>& group);
  void infer(statement& s);
  void infer_element(statement& s);

  // infer.cpp
  type* infer(expression& e);
  type* type_of(expression& e);
  type* type_of_name(expression& e);
  type* type_of_apply(expression& e);
  type* type_of_binary(expression& e);
  type* type_of_choice(expression& e);
  type* type_of_case(expression& e);
  type* type_of_block(expression& e);
  type* type_of_loop(expression& e);
  type* type_of_index(expression& e);
  type* type_of_list(expression& e);
  type* type_of_array(expression& e);
  void infer(generator& g);
  type* infer(pattern& p);
  type* infer_constructed(pattern& p);

  // `e` has this type, or that is reported.
  void check(expression& e, type* wanted, const reason& why);
  void require(position where, type* wanted, type* found, const reason& why);
  void error_too_deep(position where);
  void error(position where, const std::string& text) { report_.error(place_of_(where), text); }
  type* plain(type_kind is) { return types_.plain(is); }

  program& program_;
  std::unordered_map<std::string_view, const datatype*> datatypes_;  // by their names
  type_store& types_;
  frontend::messages& report_;
  const place_finder& place_of_;
};

}  // namespace idc

#endif
