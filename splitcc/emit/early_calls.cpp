// SPDX-License-Identifier: Apache-2.0
// Functions that are called before they are declared and turn out to be static, or not to return
// int. gcc of old took that with a warning; C of today wants them declared ahead.
#include "splitcc/emit/emission.hpp"

namespace splitcc {
namespace {

// It can be named before any declaration of the program.
bool is_known_ahead(const type* t) {
  if (is_wide_pointer(t)) return true;
  if (is_any_pointer(t)) return is_known_ahead(t->target.of);
  return t->kind == type_kind::void_ || is_integer(t) ? t->kind != type_kind::enumeration
                                                      : is_floating(t);
}

bool parameters_are_known(const type* function) {
  for (const parameter& p : function->parameters)
    if (!is_known_ahead(p.type.of)) return false;
  return true;
}

}  // namespace

void emission::declare_ahead(const entity& function) {
  const type* t = function.type.of;
  if (!is_known_ahead(t->target.of)) return;
  const std::string name(function.name->text);
  if (function.link == linkage::internal) ahead_ += "static ";
  ahead_ +=
      parameters_are_known(t) ? declared(function.type, name) : declared(t->target, name + "()");
  ahead_ += ";\n";
}

}  // namespace splitcc
