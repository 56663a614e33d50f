// SPDX-License-Identifier: Apache-2.0
// What the language makes impossible in the initializer of a static object: values that depend on
// the processor, or that are read from another one. All else is for the C compiler to judge.
#include "languages/splitc/compiler/semantics/initializing.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {
namespace {

const char* reason_against(const node& e) {
  if (e.kind == node_kind::name && e.referred->is_library)
    return e.referred->kind == entity_kind::function ? nullptr
                                                     : "it is known when the program runs";
  if (e.kind == node_kind::call) return "a function is called";
  if (e.kind != node_kind::convert) return nullptr;
  switch (e.converts) {
    case conversion::local_to_global:
    case conversion::local_to_spread:
      return "a local pointer becomes global by MYPROC, which is known when the program runs";
    case conversion::decay_to_spread:
    case conversion::decay_to_global:
      return "the place of a spread array is known when the program runs";
    case conversion::read:
      return "it is read from another processor";
    case conversion::to_local:
      return "the processor of a pointer is dropped when the program runs";
    default:
      return nullptr;
  }
}

bool is_unevaluated(const node& e) {
  return e.kind == node_kind::sizeof_expression || e.kind == node_kind::alignof_expression;
}

}  // namespace

// One message for one value, at its outermost cause.
void initializing::check_static_value(const node* e) {
  if (!e || !e->translate || is_unevaluated(*e)) return;
  if (const char* reason = reason_against(*e)) {
    const token_index at = e->at == kNoToken ? e->first : e->at;
    report_.error(at, std::string("initializer element is not constant: ") + reason);
    return;
  }
  const int errors = report_.errors();
  for (const node* child : e->children) {
    check_static_value(child);
    if (report_.errors() != errors) return;
  }
}

}  // namespace splitcc
