// SPDX-License-Identifier: Apache-2.0
// Errors, warnings and notes in gcc's format: file:line:column: error: text, the line, a caret.
#ifndef FRONTEND_MESSAGES_HPP
#define FRONTEND_MESSAGES_HPP

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "languages/support/source_lines.hpp"

namespace frontend {

struct place {
  std::string_view file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // in bytes, from 1
  std::uint32_t width = 1;  // columns to underline
  bool in_system_header = false;
  std::string_view source;  // the line's text, if it is known
  bool line_is_elsewhere = false;  // it was shown with the message before: not again
};

struct message_options {
  bool color = false;
  bool warnings = true;              // false: -w
  bool warnings_are_errors = false;  // -Werror
  int errors_max = 20;               // -fmax-errors; 0: no limit
  bool silent = false;               // nothing is printed: it only counts
  std::set<std::string, std::less<>> off;        // -Wno-NAME
  std::set<std::string, std::less<>> as_errors;  // -Werror=NAME
  std::set<std::string, std::less<>> not_errors;  // -Wno-error=NAME
};

// Thrown when errors_max is reached; the driver stops the compilation.
struct too_many_errors {};

class messages {
 public:
  explicit messages(message_options options) : options_(std::move(options)) {}
  messages(const messages&) = delete;
  messages& operator=(const messages&) = delete;
  virtual ~messages() = default;

  void error(const place& where, std::string_view text);
  // `name`: of the option that switches it, without -W; empty: none. None in system headers.
  void warning(const place& where, std::string_view name, std::string_view text);
  // Belongs to the error or warning before it; nothing if that was not printed.
  void note(const place& where, std::string_view text);
  void note(std::string_view text);  // in the same place
  // By itself: what -fopt-report says.
  void remark(const place& where, std::string_view text);

  // Of files whose text is known already, and of those that have no name on the disk.
  source_lines& lines() { return lines_; }
  int errors() const { return errors_; }
  int warnings() const { return warnings_; }

 protected:
  // What stands above a message: how its file came to be read.
  virtual std::string context_of(const place&, bool /*color*/) { return ""; }
  static std::string bold(bool color, const std::string& text);
  const place& last() const { return last_; }
  bool is_shown(const place& where, std::string_view warning_name) const;
  source_lines& known_lines() const { return lines_; }

 private:
  void count_error();
  void print(const place& where, std::string_view kind, std::string_view color,
             std::string_view text, std::string_view suffix);
  std::string with_caret(const place& where, std::string_view color) const;

  message_options options_;
  mutable source_lines lines_;  // of the files that were asked for
  int errors_ = 0;
  int warnings_ = 0;
  bool printed_ = true;  // whether the last error or warning was
  place last_;           // of the last message
};

}  // namespace frontend

#endif
