// SPDX-License-Identifier: Apache-2.0
// Library functions whose types C cannot declare: tolocal, toglobal and atomic. The others,
// toproc and the bulk operations among them, are called by their declarations in
// <split-c/split-c.h>: any pointer goes where a pointer is wanted.
#include <array>

#include "languages/splitc/compiler/semantics/calls.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

// Null: an ordinary call.
node* call_rules::call_of_library(token_range r, node* f, std::span<node* const> arguments) {
  const std::string_view name = named_by(f)->name->text;
  if (name == "tolocal" && arguments.size() == 1) return to_local_call(r, f, arguments);
  if (name == "toglobal" && arguments.size() == 2) return to_global_call(r, f, arguments);
  if (name == "atomic" && arguments.size() >= 2) return atomic_call(r, f, arguments);
  return nullptr;
}

// tolocal(pointer): a conversion; of a local pointer, the pointer itself. An integer becomes a
// global pointer with a warning, as for any other parameter of that type.
node* call_rules::to_local_call(token_range r, node* f, std::span<node* const> arguments) {
  node* e = value_of(arguments[0]);
  if (is_integer(e->type.of)) {
    assigned_as use;
    use.as = assigned_as::use::argument;
    use.function = f;
    use.position = 1;
    const qualified_type generic = {types_.pointer_to({void_type(), 0}, reach::global), 0};
    e = new_conversion(convert_for(e, generic, use), conversion::arithmetic, generic);
  }
  const type* t = e->type.of;
  if (!is_any_pointer(t)) {
    if (!is_unknown(t))
      report_.error(e->at, "tolocal() takes a pointer or a spread array, not a value of type " +
                               quoted({t, 0}));
    return error_node(r);
  }
  node* made = new_expression(node_kind::convert, r, {types_.pointer_to(t->target), 0}, {e});
  made->converts = is_wide_pointer(t) ? conversion::to_local : conversion::arithmetic;
  made->translate = true;
  return made;
}

// toglobal(processor, pointer): a global pointer to what the local one points to.
node* call_rules::to_global_call(token_range r, node* f, std::span<node* const> arguments) {
  assigned_as use;
  use.as = assigned_as::use::argument;
  use.function = f;
  use.position = 1;
  node* processor = convert_for(arguments[0], {int_type(), 0}, use);
  use.position = 2;
  const type* generic_pointer = types_.pointer_to({void_type(), 0});
  node* pointer = operand(arguments[1]);
  const type* t = value_type(pointer);
  const qualified_type target = is_any_pointer(t) ? t->target : qualified_type{void_type(), 0};
  if (is_any_pointer(t))
    pointer = with_view(pointer, generic_pointer);
  else
    pointer = convert_for(pointer, {generic_pointer, 0}, use);
  const std::array<node*, 2> converted = {processor, pointer};
  return new_call(r, {types_.pointer_to(target, reach::global), 0}, f, converted);
}

// atomic(f, g, ...): f's first parameter is the local pointer at the target; the rest follow.
node* call_rules::atomic_call(token_range r, node* f, std::span<node* const> arguments) {
  node* called = operand(arguments[0]);
  const type* t = value_type(called);
  if (!is_any_pointer(t) || t->target->kind != type_kind::function) {
    report_.error(called->at,
                  "atomic() takes a function first, not a value of type " + quoted({t, 0}));
    return error_node(r);
  }
  t = t->target.of;
  std::vector<node*> passed_on = {called};
  node* target = operand(arguments[1]);
  passed_on.push_back(with_view(target, types_.pointer_to({void_type(), 0}, reach::global)));
  if (!is_any_pointer(value_type(target)))
    report_.error(target->at, "atomic() takes a global pointer second, not a value of type " +
                                  quoted({value_type(target), 0}));
  for (std::size_t i = 2; i < arguments.size(); ++i)
    passed_on.push_back(passed(arguments[i], t, called, i));
  return new_call(r, {t->target.of, 0}, f, passed_on);
}

}  // namespace splitcc
