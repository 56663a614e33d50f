// SPDX-License-Identifier: Apache-2.0
// The lexer: from text to tokens. `%` begins a comment, which ends with its line.
#ifndef IDC_LEX_LEXER_HPP
#define IDC_LEX_LEXER_HPP

#include <vector>

#include "languages/id/lex/token.hpp"
#include "languages/support/source_text.hpp"

namespace idc {

// The last token is token_kind::end. What is not a token is reported, and skipped.
std::vector<token> lex(const frontend::source_text& source, frontend::messages& report);

}  // namespace idc

#endif
