// SPDX-License-Identifier: Apache-2.0
// The table of functions that are known without a declaration (builtins.def).
#ifndef SPLITCC_SEMANTICS_BUILTINS_HPP
#define SPLITCC_SEMANTICS_BUILTINS_HPP

#include <cstdint>
#include <string_view>

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

}  // namespace splitcc

#endif
