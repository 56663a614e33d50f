// SPDX-License-Identifier: Apache-2.0
// The back end: a typed tree as GNU C with line marks, over <ramjet/splitc_compiled.h>.
//
// The driver has the preprocessor include that header before every unit (-include), so it comes
// through the front end as a system header does and stands in the output already: the output has no
// #include and no #define, and the C compiler reads it as preprocessed (-fpreprocessed). The header
// includes no system header itself: a program's #define _GNU_SOURCE must come before the first.
#ifndef SPLITCC_EMIT_EMITTER_HPP
#define SPLITCC_EMIT_EMITTER_HPP

#include <string>

#include "languages/splitc/compiler/tree/node.hpp"

namespace splitcc {

class type_table;

struct emit_options {
  bool line_marks = true;  // -P: none
  bool pointee_names = true;  // typedefs that tell gdb what a global pointer points to
  bool gnu89_inline = true;  // `extern inline` defines nothing
  bool check = false;  // -fcheck: accesses call the functions of <ramjet/splitc_checked.h>
};

std::string emit(const node& unit, const token_list& tokens, type_table& types,
                 const emit_options& options);

}  // namespace splitcc

#endif
