// SPDX-License-Identifier: Apache-2.0
// The tree of a program: what the parser makes, the names' stage resolves and inference types. All
// of it lives in an arena. Spans point into the arena; texts into the source.
#ifndef IDC_TREE_TREE_HPP
#define IDC_TREE_TREE_HPP

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "languages/id/lex/token.hpp"

namespace idc {

struct type;
struct expression;
struct function;
struct datatype;

struct position {
  std::uint32_t at = 0;  // offset in the source
  std::uint32_t width = 1;
};

// A type as it is written.
struct type_expression {
  enum class kind : std::uint8_t { name, variable, tuple, arrow } is = kind::name;
  position where;
  std::string_view name;
  std::span<type_expression*> parts;  // arguments, elements, or from and to
};

// Polymorphic over the variables of level kGeneric in it.
struct scheme {
  type* body = nullptr;
};

enum class variable_kind : std::uint8_t { local, function, builtin };

// What a name stands for.
struct variable {
  variable_kind is = variable_kind::local;
  std::string_view name;
  position where;
  scheme known_as;
  function* defined_by = nullptr;  // kind function: its own; else null
  function* owner = nullptr;       // whose local it is; null: of the program
  int builtin = -1;                // index into the table of builtins
  // Where it is bound: in which group of bindings that see each other, and by which of them.
  std::uint32_t group = 0;
  int member = 0;
};

struct constructor {
  std::string_view name;
  position where;
  std::span<type_expression*> fields;
  datatype* of = nullptr;
  std::uint32_t tag = 0;  // its number in the type
  type* known_as = nullptr;  // fields -> ... -> the type, generic
};

struct datatype {
  std::string_view name;
  position where;
  std::vector<std::string_view> parameters;
  std::vector<constructor*> constructors;
};

struct pattern {
  enum class kind : std::uint8_t {
    wildcard,
    variable,
    integer,
    boolean,
    string,
    tuple,
    constructor,
    cons,
    nil
  } is = kind::wildcard;
  position where;
  std::string_view name;     // variable, constructor, text of a literal
  std::span<pattern*> parts;
  union {
    std::int64_t integer = 0;  // booleans: 0 or 1
    variable* bound;
    idc::constructor* made_by;  // null: of a list
  };
  type* has = nullptr;
};

enum class statement_kind : std::uint8_t { bind, define, store, put, next, effect };

struct statement {
  statement_kind is = statement_kind::bind;
  position where;
  pattern* target = nullptr;    // bind
  function* defined = nullptr;  // define
  std::string_view name;        // next
  variable* outer = nullptr;    // next: the variable around the loop, with the first value,
  variable* inner = nullptr;    // and that with the value of this round
  expression* array = nullptr;  // store, put
  std::span<expression*> indices;
  expression* value = nullptr;
};

// One definition's clauses all have as many patterns. A lambda has one clause and no name.
struct clause {
  position where;
  std::span<pattern*> parameters;
  expression* body = nullptr;
};

struct function {
  position where;
  std::string_view name;
  variable* named = nullptr;  // null: a lambda
  std::vector<clause*> clauses;
  type_expression* annotation = nullptr;
  function* owner = nullptr;           // the function around it; null: the program
  std::vector<variable*> captured;     // locals of functions around it that it or its calls use
  std::vector<function*> uses;         // functions around or beside it that its body names
  std::size_t arity() const { return clauses.front()->parameters.size(); }
};

// i <- first to last by step, x <- list, or a condition.
struct generator {
  enum class kind : std::uint8_t { range, list, condition } is = kind::range;
  bool downwards = false;
  position where;
  pattern* target = nullptr;
  expression* first = nullptr;  // list, condition: what it is
  expression* last = nullptr;
  expression* step = nullptr;  // null: 1
};

// | [i, j] = value || generators
struct region {
  position where;
  std::span<expression*> indices;
  expression* value = nullptr;
  std::span<generator*> generators;
};

enum class expression_kind : std::uint8_t {
  integer,
  real,
  boolean,
  string,
  nil,
  unit,
  name,
  constructor,
  tuple,       // parts
  apply,       // parts: function, argument
  unary,
  binary,  // parts
  choice,      // if: parts: condition, then, else
  case_,       // parts: the value; clauses with one pattern each
  block,       // statements, then parts: the result
  for_loop,    // generator, statements, parts: the result or none
  while_loop,  // parts: condition, the result or none; statements
  lambda,
  index,
  take,
  examine,  // parts: array, indices
  list,        // {: value || generators :}: parts: values; more than one has no generators
  array,       // {array bounds | regions}; matrix, too: by the number of indices
};

// Of an expression that has statements, clauses, generators or regions.
struct compound {
  std::span<statement*> statements;
  std::span<clause*> clauses;
  std::span<generator*> generators;
  std::span<region*> regions;
  bool is_matrix = false;
  // Of blocks and loops: the statements in the order of need, those together that need each other.
  std::vector<std::vector<statement*>> groups;
};

struct expression {
  expression_kind is = expression_kind::unit;
  token_kind op = token_kind::end;
  position where;
  std::string_view text;  // names and literals
  union {
    std::int64_t integer = 0;  // booleans: 0 or 1
    double real;
    compound* inside;  // block, case_, loops, list, array
    function* made;  // lambda
    variable* refers;  // name, the operator of lists
    idc::constructor* made_by;
  };
  std::span<expression*> parts;
  type* has = nullptr;
};

struct annotation {
  position where;
  std::string_view name;
  type_expression* is = nullptr;
};

struct program {
  std::vector<function*> functions;
  std::vector<datatype*> types;
  std::vector<annotation> annotations;
  std::vector<function*> all;  // local ones and lambdas, too
  std::vector<std::vector<function*>> groups;  // in the order of need: what calls each other
};

}  // namespace idc

#endif
