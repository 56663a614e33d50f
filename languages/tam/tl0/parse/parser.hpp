// SPDX-License-Identifier: Apache-2.0
// The assembler: from tokens to a program, with all names and types checked. docs/tl0.md has the
// grammar; each production stands above the function that reads it.
//
// Everything may be used before it is declared, so the tokens are gone through three times: for the
// names of the code blocks, for what they declare, and for what their bodies hold.
#ifndef TL0_PARSE_PARSER_HPP
#define TL0_PARSE_PARSER_HPP

#include <optional>

#include "languages/support/messages.hpp"
#include "languages/tam/tl0/lex/lexer.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

// Nothing if there were errors; all of them are reported.
std::optional<program> assemble(const token_list& tokens, frontend::messages& report);

}  // namespace tl0

#endif
