// SPDX-License-Identifier: Apache-2.0
// The lexer: from text to tokens. `%` begins a comment, which ends with its line.
#ifndef IDC_LEX_LEXER_HPP
#define IDC_LEX_LEXER_HPP

#include <cstddef>
#include <vector>

#include "frontend/source_text.hpp"
#include "idc/lex/token.hpp"

namespace idc {

// From one offset to another, each at the beginning of a line or the end.
struct stretch {
  std::size_t begin = 0, end = 0;
};

// The last token is token_kind::end. What is not a token is reported, and skipped.
std::vector<token> lex(const frontend::source_text& source, stretch of, frontend::messages& report);

}  // namespace idc

#endif
