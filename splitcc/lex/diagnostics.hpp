// SPDX-License-Identifier: Apache-2.0
// Errors, warnings and notes in gcc's format: file:line:column: error: text, the line, a caret.
#ifndef SPLITCC_LEX_DIAGNOSTICS_HPP
#define SPLITCC_LEX_DIAGNOSTICS_HPP

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "splitcc/lex/token.hpp"

namespace splitcc {

struct place {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t width = 1;  // columns to underline
  bool in_system_header = false;
};

struct diagnostic_options {
  bool color = false;
  bool warnings = true;              // false: -w
  bool warnings_are_errors = false;  // -Werror
  int errors_max = 20;               // -fmax-errors; 0: no limit
  std::set<std::string, std::less<>> off;        // -Wno-NAME
  std::set<std::string, std::less<>> as_errors;  // -Werror=NAME
};

// Thrown when errors_max is reached; the driver stops the compilation.
struct too_many_errors {};

class diagnostics {
 public:
  explicit diagnostics(diagnostic_options options) : options_(std::move(options)) {}

  // Set once the tokens are there; the token forms below need it.
  void look_in(const token_list& tokens) { tokens_ = &tokens; }

  void error(const place& where, std::string_view text);
  void error(token_index at, std::string_view text);
  // `name`: of the option that switches it, without -W. None in system headers.
  void warning(token_index at, std::string_view name, std::string_view text);
  // Belongs to the error or warning before it; nothing if that was not printed.
  void note(token_index at, std::string_view text);
  void note(std::string_view text);

  place place_of(token_index at) const;
  int errors() const { return errors_; }
  int warnings() const { return warnings_; }

 private:
  void print(const place& where, std::string_view kind, std::string_view color,
             std::string_view text);
  void print_line(const place& where) const;

  diagnostic_options options_;
  const token_list* tokens_ = nullptr;
  int errors_ = 0;
  int warnings_ = 0;
  bool printed_ = true;  // whether the last error or warning was
};

}  // namespace splitcc

#endif
