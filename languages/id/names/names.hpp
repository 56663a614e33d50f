// SPDX-License-Identifier: Apache-2.0
// Names: what each stands for, what functions capture, and which definitions need which.
#ifndef IDC_NAMES_NAMES_HPP
#define IDC_NAMES_NAMES_HPP

#include <functional>
#include <unordered_map>

#include "languages/id/tree/tree.hpp"
#include "languages/support/arena.hpp"
#include "languages/support/messages.hpp"

namespace idc {

using place_finder = std::function<frontend::place(position)>;

// What programs see: functions and builtins by name, constructors, types.
struct environment {
  std::unordered_map<std::string_view, variable*> values;
  std::unordered_map<std::string_view, constructor*> constructors;
  std::unordered_map<std::string_view, datatype*> types;
  std::uint32_t groups = 0;  // groups of definitions that have a number
  variable* append = nullptr;  // what `++` calls
};

// Adds the program's own to `known`.
void resolve(program& of, environment& known, frontend::arena& memory, frontend::messages& report,
             const place_finder& place_of);

}  // namespace idc

#endif
