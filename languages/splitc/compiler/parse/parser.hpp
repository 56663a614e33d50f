// SPDX-License-Identifier: Apache-2.0
// The parser: recursive descent, the production above each function. Types and names are resolved
// as it goes (C needs that to tell a type from an expression), by semantics.
#ifndef SPLITCC_PARSE_PARSER_HPP
#define SPLITCC_PARSE_PARSER_HPP

#include "languages/splitc/compiler/semantics/semantics.hpp"

namespace splitcc {

// The tree of a translation unit. Errors are in the diagnostics; after one the parser goes on at
// the next statement or declaration. Throws too_many_errors.
node* parse(const token_list& tokens, semantics& meaning, diagnostics& report,
            identifier_table& identifiers, const language_options& options);

}  // namespace splitcc

#endif
