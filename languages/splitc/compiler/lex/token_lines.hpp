// SPDX-License-Identifier: Apache-2.0
// Where tokens stand: in the preprocessor's output and in the user's lines.
#ifndef SPLITCC_LEX_TOKEN_LINES_HPP
#define SPLITCC_LEX_TOKEN_LINES_HPP

#include <cstdint>
#include <string_view>

#include "languages/splitc/compiler/lex/token.hpp"

namespace splitcc {

// The line of the preprocessor's output in which the token stands.
std::string_view line_in_buffer(const token_list& tokens, token_index at);

// The column, in bytes from 1, of the token in the user's line; a token that a macro made has that
// of the macro's name.
std::uint32_t column_in(std::string_view user_line, const token_list& tokens, token_index at);

}  // namespace splitcc

#endif
