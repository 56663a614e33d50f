// SPDX-License-Identifier: Apache-2.0
// Tokens of preprocessed Split-C, and where they came from. A token's text points into the buffer
// of its translation unit, which lives as long as the compilation; the tree refers to tokens by
// index, so what needs no translation is written out again token by token.
#ifndef SPLITCC_LEX_TOKEN_HPP
#define SPLITCC_LEX_TOKEN_HPP

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace splitcc {

struct binding;  // tree/entity.hpp

enum class token_kind : std::uint8_t {
  end,         // of the translation unit: the last token, always there
  identifier,  // name
  keyword,     // id is a keyword
  number,      // a preprocessing number: integer or floating, suffix included
  character,   // with its quotes and prefix
  string,      // one literal, with its quotes and prefix; the parser joins adjacent ones
  punctuator,  // id is a punctuator
};

// Keywords of C17, of GNU C in all spellings (__const, __const__ are kw_const), and ours.
enum class keyword : std::uint8_t {
  none,
#define SPLITCC_KEYWORD(name, ...) name,
#include "languages/splitc/compiler/lex/keywords.def"
#undef SPLITCC_KEYWORD
};

// Punctuators, named by what they look like.
enum class punctuator : std::uint8_t {
  none,
#define SPLITCC_PUNCTUATOR(name, spelling) name,
#include "languages/splitc/compiler/lex/punctuators.def"
#undef SPLITCC_PUNCTUATOR
};

// An identifier, unique per spelling. The bindings are the innermost declarations in scope.
struct identifier {
  std::string_view text;
  keyword word = keyword::none;  // not none: it is lexed as this keyword
  binding* ordinary = nullptr;   // variables, functions, typedef names, enumerators
  binding* tag = nullptr;        // struct, union, enum
};

using token_index = std::uint32_t;
inline constexpr token_index kNoToken = ~token_index{0};

struct token {
  std::string_view text;
  identifier* name = nullptr;  // of identifiers and keywords
  std::uint32_t line = 0;      // in the user's file, as the line marks say; from 1
  std::uint16_t column = 0;    // from 1; 0 where it is not known (past 65535)
  std::uint16_t file = 0;      // index into token_list::files
  token_kind kind = token_kind::end;
  keyword word = keyword::none;
  punctuator mark = punctuator::none;
  bool first_in_line : 1 = false;
  bool space_before : 1 = false;
  bool pragma_before : 1 = false;  // token_list::pragmas says which
};

struct source_file {
  std::string name;        // as in the line marks
  bool is_system = false;  // a system header: no warnings about it
  std::uint16_t includer = 0;      // whose #include led here first, and on which line;
  std::uint32_t include_line = 0;  // 0: none did
};

// A lexed translation unit.
struct token_list {
  std::vector<token> tokens;  // the last one is token_kind::end
  std::vector<source_file> files;
  std::unordered_map<token_index, std::string> pragmas;  // whole lines, joined by newlines
  // What tokens' texts point into: the unit, and literals whose text is not as it stands there.
  std::shared_ptr<const char[]> buffer;
  std::string_view text;
  std::deque<std::string> rewritten;
};

constexpr bool is(const token& t, punctuator p) { return t.mark == p; }
constexpr bool is(const token& t, keyword k) { return t.word == k; }

std::string_view spelling(punctuator p);

}  // namespace splitcc

#endif
