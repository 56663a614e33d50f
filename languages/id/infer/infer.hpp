// SPDX-License-Identifier: Apache-2.0
// Type inference (Hindley and Milner): every definition gets its most general type.
#ifndef IDC_INFER_INFER_HPP
#define IDC_INFER_INFER_HPP

#include "languages/id/infer/types.hpp"
#include "languages/id/names/names.hpp"

namespace idc {

// The functions of the language, by their names.
void add_builtins(environment& to, type_store& types, frontend::arena& memory);

void infer(program& of, type_store& types, frontend::messages& report,
           const place_finder& place_of);

// "name : type", a line for each definition of the program.
std::string types_of(const program& of);

}  // namespace idc

#endif
