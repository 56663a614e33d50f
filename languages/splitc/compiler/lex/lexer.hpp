// SPDX-License-Identifier: Apache-2.0
// The lexer: from the preprocessor's output to tokens. Line marks set file and line; #pragma lines
// are kept for the token that follows them. Raw newlines inside string literals are taken.
#ifndef SPLITCC_LEX_LEXER_HPP
#define SPLITCC_LEX_LEXER_HPP

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "languages/splitc/compiler/lex/token.hpp"

namespace splitcc {

class diagnostics;

// All identifiers of a compilation, keywords among them.
class identifier_table {
 public:
  // gnu89 and later: `asm`, `typeof`, `inline` are keywords. strict (-std=c99, c11, c17): `asm`
  // and `typeof` are not.
  explicit identifier_table(bool strict = false);
  ~identifier_table();
  identifier_table(const identifier_table&) = delete;
  identifier_table& operator=(const identifier_table&) = delete;

  // Unique per spelling; valid as long as the table.
  identifier* find(std::string_view text);
  // `hash`: spelling_hash of the text (hash.hpp).
  identifier* find(std::string_view text, std::uint32_t hash);

 private:
  struct contents;
  std::unique_ptr<contents> contents_;
};

// `text` is copied. What is not a token is reported, and skipped. `language_is_splitc`: the marks
// `:=`, `:-` and `::` exist, and strings go on over ends of lines; false: as in C.
token_list lex(std::string_view text, std::string_view main_file, identifier_table& identifiers,
               diagnostics& report, bool language_is_splitc = true);

}  // namespace splitcc

#endif
