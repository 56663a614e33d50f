// SPDX-License-Identifier: Apache-2.0
// What -std= means to the front end, to the preprocessor and to the C compiler.
#ifndef SPLITCC_DRIVER_DIALECT_HPP
#define SPLITCC_DRIVER_DIALECT_HPP

#include <string>

#include "languages/splitc/compiler/driver/command_line.hpp"

namespace splitcc::driver {

struct dialect {
  bool strict = false;       // `asm` and `typeof` are identifiers
  bool gnu89 = true;         // implicit int and functions go without a word
  bool gnu89_inline = true;  // `extern inline` defines nothing
  bool statement_blocks = true;  // if, switch, loops and what they govern are blocks: not in C90
};

// `standard`: what follows -std=, or nothing. Throws usage_error for one that is not C.
dialect dialect_of(const std::string& standard);

// -std= for the preprocessor: what was asked for.
std::string standard_for_preprocessor(const options& o);
// -std= for the C compiler: GNU C always, of which the output makes use.
std::string standard_for_c(const options& o);

}  // namespace splitcc::driver

#endif
