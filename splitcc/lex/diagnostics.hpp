// SPDX-License-Identifier: Apache-2.0
// Errors, warnings and notes in gcc's format: file:line:column: error: text, the line, a caret.
#ifndef SPLITCC_LEX_DIAGNOSTICS_HPP
#define SPLITCC_LEX_DIAGNOSTICS_HPP

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "splitcc/lex/token.hpp"

namespace splitcc {

class source_lines;

struct place {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // in bytes, from 1
  std::uint32_t width = 1;  // columns to underline
  bool in_system_header = false;
  std::string_view source;  // the line's text, if it is known
  bool line_is_elsewhere = false;  // it was shown with the message before: not again
};

struct diagnostic_options {
  bool color = false;
  bool warnings = true;              // false: -w
  bool warnings_are_errors = false;  // -Werror
  int errors_max = 20;               // -fmax-errors; 0: no limit
  std::set<std::string, std::less<>> off;        // -Wno-NAME
  std::set<std::string, std::less<>> as_errors;  // -Werror=NAME
  std::set<std::string, std::less<>> not_errors;  // -Wno-error=NAME
};

// Thrown when errors_max is reached; the driver stops the compilation.
struct too_many_errors {};

class diagnostics {
 public:
  explicit diagnostics(diagnostic_options options);
  ~diagnostics();

  // Set once the tokens are there; the token forms below need it.
  void look_in(const token_list& tokens) { tokens_ = &tokens; }

  void error(const place& where, std::string_view text);
  void error(token_index at, std::string_view text);
  // `name`: of the option that switches it, without -W; empty: none. None in system headers.
  void warning(token_index at, std::string_view name, std::string_view text);
  void warning(const place& where, std::string_view name, std::string_view text);
  // Belongs to the error or warning before it; nothing if that was not printed.
  void note(token_index at, std::string_view text);
  // By itself: what -fopt-report says.
  void remark(token_index at, std::string_view text);
  void note(std::string_view text);

  place place_of(token_index at) const;
  int errors() const { return errors_; }
  int warnings() const { return warnings_; }

 private:
  void count_error();
  void print(const place& where, std::string_view kind, std::string_view color,
             std::string_view text, std::string_view suffix);
  std::string includers(const place& where);
  std::string with_caret(const place& where, std::string_view color) const;

  diagnostic_options options_;
  const token_list* tokens_ = nullptr;
  std::unique_ptr<source_lines> lines_;
  int errors_ = 0;
  int warnings_ = 0;
  bool printed_ = true;  // whether the last error or warning was
  place last_;           // of the last message
};

}  // namespace splitcc

#endif
