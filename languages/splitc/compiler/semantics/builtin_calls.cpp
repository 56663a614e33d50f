// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions whose type is not that of a C function: it comes from the arguments.
// (GNU: __builtin_*, __sync_*, __atomic_*.)
#include "languages/splitc/compiler/semantics/builtins.hpp"
#include "languages/splitc/compiler/semantics/calls.hpp"
#include "languages/splitc/compiler/semantics/operands.hpp"

namespace splitcc {

namespace {

// __sync_fetch_and_add_4 is __sync_fetch_and_add on four bytes.
std::string_view without_size(std::string_view name) {
  for (std::string_view suffix : {"_1", "_2", "_4", "_8", "_16"}) {
    if (!name.ends_with(suffix)) continue;
    name.remove_suffix(suffix.size());
    break;
  }
  return name;
}

enum class atomic_result : std::uint8_t { value, truth, nothing };

atomic_result result_of_sync(std::string_view name) {
  if (name == "__sync_synchronize" || name == "__sync_lock_release") return atomic_result::nothing;
  if (name == "__sync_bool_compare_and_swap") return atomic_result::truth;
  return atomic_result::value;
}

atomic_result result_of_atomic(std::string_view name) {
  name.remove_prefix(std::string_view("__atomic_").size());
  if (name == "compare_exchange" || name == "compare_exchange_n" || name == "test_and_set" ||
      name == "always_lock_free" || name == "is_lock_free")
    return atomic_result::truth;
  if (name == "load" || name == "store" || name == "store_n" || name == "exchange" ||
      name == "thread_fence" || name == "signal_fence" || name == "clear" ||
      name == "feraiseexcept")
    return atomic_result::nothing;
  return atomic_result::value;
}

}  // namespace

const type* call_rules::builtin_result(const entity& e, std::span<node* const> arguments) {
  const std::string_view name = e.name->text;
  const type* first = arguments.empty() ? unknown_type() : value_type(arguments[0]);
  if (name.starts_with("__builtin_")) {
    const known_function* f = find_builtin(name.substr(10));
    if (!f || f->rule == builtin_rule::signature) return unknown_type();
    return f->rule == builtin_rule::complex ? types_.complex_of(first) : first;
  }
  const std::string_view plain = without_size(name);
  const atomic_result result =
      name.starts_with("__sync_") ? result_of_sync(plain) : result_of_atomic(plain);
  switch (result) {
    case atomic_result::truth:
      return types_.basic(type_kind::bool_);
    case atomic_result::nothing:
      return void_type();
    default:
      return is_any_pointer(first) ? first->target.of : unknown_type();
  }
}

// Functions with a signature are called as others are; the rest check nothing.
node* call_rules::call_of_builtin(token_range r, node* f, std::span<node* const> arguments) {
  const entity& e = *named_by(f);
  const type* t = e.type.of;
  const bool has_signature = t->kind == type_kind::function;
  if (has_signature && t->prototyped && !is_count_right(r, f, t, arguments.size()))
    return error_node(r);
  std::vector<node*> passed_on;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i]->kind == node_kind::type_name)
      passed_on.push_back(arguments[i]);
    else if (has_signature)
      passed_on.push_back(passed(arguments[i], t, f, i + 1));
    else
      passed_on.push_back(operand(arguments[i]));
  }
  if (!has_signature && !e.name->text.starts_with("__builtin_") && !passed_on.empty())
    check_atomic_operand(f, passed_on[0]);
  const type* result = has_signature ? t->target.of : builtin_result(e, passed_on);
  return new_call(r, {result, 0}, f, passed_on);
}

// An atomic operation of the C compiler works on this processor's memory.
void call_rules::check_atomic_operand(const node* f, const node* operand) {
  if (!is_wide_pointer(value_type(operand))) return;
  report_.error(operand->at, "'" + text_of(f) + "' works on local memory: a " +
                                 quoted({value_type(operand), 0}) +
                                 " needs fetch_and_add() or its like");
}

}  // namespace splitcc
