// SPDX-License-Identifier: Apache-2.0
// A text, lexed, and what was said about it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "languages/splitc/compiler/lex/diagnostics.hpp"
#include "languages/splitc/compiler/lex/lexer.hpp"

namespace splitcc {

struct lexed {
  explicit lexed(std::string_view text, bool splitc = true, diagnostic_options options = {})
      : report(std::move(options)) {
    testing::internal::CaptureStderr();
    tokens = lex(text, "unit.sc", names, report, splitc);
    said = testing::internal::GetCapturedStderr();
    report.look_in(tokens);
  }

  // The tokens' texts, without the end.
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const token& t : tokens.tokens)
      if (t.kind != token_kind::end) all.emplace_back(t.text);
    return all;
  }

  const token& operator[](std::size_t i) const { return tokens.tokens[i]; }
  std::string file_of(std::size_t i) const { return tokens.files[tokens.tokens[i].file].name; }

  identifier_table names;
  diagnostics report;
  token_list tokens;
  std::string said;
};

}  // namespace splitcc
