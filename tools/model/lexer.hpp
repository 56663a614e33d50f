// SPDX-License-Identifier: Apache-2.0
// The tokens of the notation of skeletons (docs/model.md has its grammar).
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "tools/model/skeleton.hpp"

namespace loggp {

struct token {
  enum class kind { name, number, text, sign, end } what = kind::end;
  std::string text;
  double value = 0;
  unsigned line = 1, column = 1;
};

class lexer {
 public:
  lexer(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  token next();
  const std::string& file() const { return file_; }
  [[noreturn]] void fail(const token& at, const std::string& what) const {
    throw input_error(fmt::format("{}:{}:{}: {}", file_, at.line, at.column, what));
  }

 private:
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void step() {
    column_ = here() == '\n' ? 1 : column_ + 1;
    line_ += here() == '\n' ? 1 : 0;
    ++at_;
  }
  void skip();
  void read_number(token& t);

  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  unsigned line_ = 1, column_ = 1;
};

}  // namespace loggp
