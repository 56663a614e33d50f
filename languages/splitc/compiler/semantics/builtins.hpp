// SPDX-License-Identifier: Apache-2.0
// The table of functions that are known without a declaration (builtins.def).
#ifndef SPLITCC_SEMANTICS_BUILTINS_HPP
#define SPLITCC_SEMANTICS_BUILTINS_HPP

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "languages/splitc/compiler/semantics/nodes.hpp"

namespace splitcc {

enum class builtin_rule : std::uint8_t {
  signature,
  first,    // the type of the first argument
  complex,  // complex, of the first argument's type
};

struct known_function {
  std::string_view name;
  const char* signature;
  builtin_rule rule;
  bool is_library;  // C's library has it, too
};

// `name` without __builtin_; null: not in the table.
const known_function* find_builtin(std::string_view name);

// The entities and types of the functions that the compiler knows without a declaration.
class builtin_functions : private node_maker {
 public:
  using node_maker::node_maker;

  entity* named(identifier* name);  // null: no __builtin_, __sync_ or __atomic_ name
  const type* library_function_type(const identifier* name);  // of C's library; null: unknown

 private:
  const type* read_signature(std::string_view& signature);
  const type* function_by_signature(std::string_view signature);
  const type* mathematical_type(std::string_view name);

  std::unordered_map<const identifier*, entity*> made_;
};

}  // namespace splitcc

#endif
