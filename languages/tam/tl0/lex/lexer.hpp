// SPDX-License-Identifier: Apache-2.0
// From the text of a TL0 file to tokens. A line `#line N "FILE"` says that what follows it was made
// from that line; `#line` alone that it stands for itself.
#ifndef TL0_LEX_LEXER_HPP
#define TL0_LEX_LEXER_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "languages/support/messages.hpp"
#include "languages/tam/tl0/program/program.hpp"

namespace tl0 {

enum class token_kind : std::uint8_t {
  end,  // the last token, always there
  name,
  keyword,
  integer,  // decimal, or hexadecimal with 0x
  real,  // with a point or an exponent
  string,  // with its quotes
  hidden,  // $N: a temporary that stands for a part of an expression
  mark,
};

struct token {
  std::string_view text;  // points into the file's text
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // in bytes, from 1
  position made_from;  // file 0: itself
  token_kind kind = token_kind::end;
};

struct token_list {
  std::vector<token> tokens;
  std::vector<std::string> files;  // 0: the TL0 file
};

// `text` outlives the tokens. What is not a token is reported, and skipped.
token_list lex(std::string_view text, const std::string& file, frontend::messages& report);

frontend::place place_of(const token_list& tokens, const token& t);

bool is_keyword(std::string_view word);

// The words that a name may not be, in ascending order.
const std::vector<std::string_view>& keywords();

}  // namespace tl0

#endif
