// SPDX-License-Identifier: Apache-2.0
// Tokens of Id. A token keeps where it stands; its text is looked up in the source.
#ifndef IDC_LEX_TOKEN_HPP
#define IDC_LEX_TOKEN_HPP

#include <cstdint>
#include <string_view>
#include <vector>

namespace idc {

// IDC_KEYWORD(name, spelling), IDC_MARK(name, spelling): in tokens.def.
enum class token_kind : std::uint8_t {
  end,
  name,         // begins with a small letter, or I_ or M_
  constructor_name,  // begins with a capital letter
  integer,
  real,
  string,
#define IDC_KEYWORD(name, spelling) name,
#define IDC_MARK(name, spelling) name,
#include "languages/id/lex/tokens.def"
#undef IDC_KEYWORD
#undef IDC_MARK
};

struct token {
  std::uint32_t at = 0;     // offset in the source
  std::uint32_t width = 0;  // in bytes
  token_kind kind = token_kind::end;
};

std::string_view spelling(token_kind kind);  // of keywords and marks; else what it is

}  // namespace idc

#endif
