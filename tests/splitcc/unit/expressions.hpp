// SPDX-License-Identifier: Apache-2.0
// Expressions for tests: their types in words, and their trees in brackets. In a tree a node that
// the emitter writes anew (`translate`) is in (), one whose tokens stand as they are in []; what a
// conversion does is its name.
#ifndef SPLITCC_TESTS_UNIT_EXPRESSIONS_HPP
#define SPLITCC_TESTS_UNIT_EXPRESSIONS_HPP

#include <string>
#include <string_view>

#include "front_end.hpp"

namespace splitcc::test {

inline const char* name_of(conversion c) {
  constexpr const char* kNames[] = {"none",     "read",       "decay",       "to_global_element",
                                    "to_block", "arithmetic", "own_global",  "own_spread",
                                    "to_local", "same_bits",  "null_global", "truth"};
  return kNames[static_cast<std::size_t>(c)];
}

inline std::string tree_of(const node& n);

// Its children behind `head`, in brackets.
inline std::string tree_with(const node& n, const std::string& head) {
  std::string text = (n.translate ? "(" : "[") + head;
  for (const node* child : n.children) text += " " + (child ? tree_of(*child) : "-");
  return text + (n.translate ? ")" : "]");
}

inline std::string tree_of(const node& n) {
  switch (n.kind) {
    case node_kind::name:
      return std::string(n.referred->name->text);
    case node_kind::number:
      return std::to_string(static_cast<long long>(n.value));
    case node_kind::parenthesized:
      return tree_of(*n.children[0]);
    case node_kind::unary:
      return tree_with(n, std::string(spelling(n.op)));
    case node_kind::postfix:
      return tree_with(n, "post" + std::string(spelling(n.op)));
    case node_kind::binary:
    case node_kind::assignment:
      return tree_with(n, std::string(spelling(n.op)));
    case node_kind::conditional:
      return tree_with(n, "?");
    case node_kind::call:
      return tree_with(n, "call");
    case node_kind::index:
      return tree_with(n, "index");
    case node_kind::member:
      return tree_with(n, "." + std::string(n.accessed->name->text));
    case node_kind::arrow:
      return tree_with(n, "->" + std::string(n.accessed->name->text));
    case node_kind::cast:
      return tree_with(
          n, n.converts == conversion::none ? "cast" : "cast:" + std::string(name_of(n.converts)));
    case node_kind::convert:
      return tree_with(n, name_of(n.converts));
    case node_kind::statement_expression:
    case node_kind::compound:
      return tree_with(n, "{}");
    case node_kind::expression:
      return tree_with(n, ";");
    case node_kind::sizeof_expression:
      return tree_with(n, "sizeof");
    case node_kind::real:
      return tree_with(n, "real");
    case node_kind::error:
      return "error";
    default:
      return tree_with(n, "other");
  }
}

// What the expressions of the tests are made of.
inline constexpr std::string_view kObjects =
    "struct r { int m; unsigned bits : 5; int a[4]; struct r *global next; int *own; };"
    "struct r x, y, *px, *global gx, *spread sx; const struct r cx;"
    "int i, j, *p, *global g, *global h, *spread s, *spread t, a[5]; double d, *global gd;"
    "char c; long l; unsigned u; float f; void *v, *global gv; int *global *global gg;"
    "int *global (*spread sg)[3]; int (*global ga)[7];"
    "_Complex double *global gz; int A[4]::; double B[2][3]::[5][6]; struct r X[8]::;"
    "int to_local(int *); int to_global(int *global); int to_spread(int *spread);"
    "int of_record(struct r); struct r record(void); int *global give(void); int unknown();"
    "int old(pg, ps) int *global pg; int *spread ps; { return 0; }";

// The type of an expression; "error: ..." if it is none.
inline std::string type_of(std::string_view expression) {
  front_end f(std::string(kObjects) + "void test(void) { __typeof__(" + std::string(expression) +
                  ") *of_it; }",
              true);
  if (f.errors()) return f.messages().substr(f.messages().find("error: "));
  const node* body = f.unit().children.back()->children.back();
  const entity* of_it = body->children[0]->declared->declarators[0].declared;
  return describe(of_it->type->target);
}

// The tree of the only statement of a function, an expression.
inline std::string tree(std::string_view statement) {
  front_end f(std::string(kObjects) + "void test(void) { " + std::string(statement) + "; }", true);
  if (f.errors()) return f.messages();
  const node* body = f.unit().children.back()->children.back();
  return tree_of(*body->children[0]->children[0]);
}

// The first error or warning of it; empty if there is none.
inline std::string message(std::string_view statement) {
  front_end f(std::string(kObjects) + "void test(void) { " + std::string(statement) + "; }", true);
  const std::string& text = f.messages();
  for (const char* kind : {"error: ", "warning: "}) {
    const std::size_t at = text.find(kind);
    if (at != std::string::npos) return text.substr(at, text.find('\n', at) - at);
  }
  return {};
}

}  // namespace splitcc::test

#endif
