// SPDX-License-Identifier: Apache-2.0
// The lexer's state while it goes through a translation unit. The buffer ends with a newline and a
// NUL, so scanning needs no test for its end; end_ is that NUL.
#ifndef SPLITCC_LEX_SCANNER_HPP
#define SPLITCC_LEX_SCANNER_HPP

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/splitc/compiler/lex/diagnostics.hpp"
#include "languages/splitc/compiler/lex/lexer.hpp"

namespace splitcc {

class scanner {
 public:
  scanner(std::string_view text, std::string_view main_file, identifier_table& identifiers,
          diagnostics& report, bool language_is_splitc);

  token_list run();

 private:
  // lexer.cpp
  void step();
  void skip_blanks();
  void skip_comment();
  void new_line(const char* next);
  token begin() const;
  void push(token t, const char* end);
  void identifier_or_prefix();
  void word(token t, identifier* name, const char* end);
  void identifier_beyond_ascii(const char* start);
  void number();
  void stray();
  place here(const char* at, std::uint32_t width = 1) const;

  // directives.cpp: lines that begin with `#`
  void directive();
  void line_mark(const char* at);
  void enter_file(std::string_view name, bool is_system, bool returns, std::uint32_t line);

  // literals.cpp
  void literal(token t, const char* quote, token_kind kind);
  void character_constant(token t, const char* quote);
  void string(token t, const char* quote);
  void string_of_one_line(token t, const char* quote);
  void raw_string(token t, const char* quote);
  void unterminated(const token& t, const char* quote);

  // marks.cpp: punctuators
  void punctuation();
  void mark(punctuator p, std::size_t length);
  void opens(punctuator p, std::size_t length);
  void closes(punctuator p, std::size_t length);
  void bracket();
  void colon_mark();
  void left_angle();
  void percent_mark();

  token_list list_;
  identifier_table& identifiers_;
  diagnostics& report_;
  const bool splitc_;
  const char* at_;
  const char* end_;
  const char* line_start_;
  std::uint32_t line_ = 1;
  std::uint16_t file_ = 0;
  bool first_in_line_ = true;
  bool space_ = false;
  std::string pragmas_;  // for the next token
  std::vector<std::uint32_t> open_questions_{0};  // per open bracket
  std::unordered_map<std::string, std::uint16_t> file_indices_;  // by name, and an `s` for system
};

namespace characters {

enum character_class : std::uint8_t { kWord = 1, kStart = 2, kDigit = 4, kBlank = 8 };
extern const std::array<std::uint8_t, 256> kClasses;

inline bool is(char c, std::uint8_t classes) {
  return (kClasses[static_cast<unsigned char>(c)] & classes) != 0;
}
inline bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }

// A code point that an identifier holds in the source: as UTF-8 or as a universal character name.
// bytes == 0: there is none here, or it may not stand in an identifier.
struct code_point {
  char32_t value = 0;
  std::uint32_t bytes = 0;  // in the source
};
code_point in_identifier(const char* at, bool first);
void append_utf8(std::string& to, char32_t value);

}  // namespace characters

}  // namespace splitcc

#endif
