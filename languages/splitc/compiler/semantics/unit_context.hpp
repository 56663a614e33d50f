// SPDX-License-Identifier: Apache-2.0
// The state of a unit that all parts of semantics share.
#ifndef SPLITCC_SEMANTICS_UNIT_CONTEXT_HPP
#define SPLITCC_SEMANTICS_UNIT_CONTEXT_HPP

#include "languages/splitc/compiler/lex/diagnostics.hpp"
#include "languages/splitc/compiler/lex/lexer.hpp"
#include "languages/splitc/compiler/semantics/types.hpp"

namespace splitcc {

struct language_options {
  bool splitc = true;        // false: C alone (-x c): no marks, no library
  bool gnu89 = true;         // implicit int and functions without a word
  bool gnu89_inline = true;
  bool statement_blocks = true;  // if, switch, loops and what they govern are blocks: not in C90
  bool plain_char_is_unsigned = false;
  bool pedantic = false;
};

struct unit_context {
  unit_context(arena& memory_of_unit, const token_list& tokens_of_unit, diagnostics& reports,
               language_options language)
      : memory(memory_of_unit),
        tokens(tokens_of_unit),
        report(reports),
        options(language),
        types(memory_of_unit) {
    if (options.plain_char_is_unsigned) types.make_char_unsigned();
  }

  arena& memory;
  const token_list& tokens;
  diagnostics& report;
  const language_options options;
  type_table types;
};

}  // namespace splitcc

#endif
