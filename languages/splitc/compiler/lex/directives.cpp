// SPDX-License-Identifier: Apache-2.0
// Lines of the preprocessor's output that begin with `#`: line marks, #pragma, #ident.
#include <cstring>

#include "languages/splitc/compiler/lex/scanner.hpp"

namespace splitcc {

using characters::is;
using characters::kBlank;
using characters::kDigit;
using characters::kStart;
using characters::kWord;

namespace {

constexpr std::size_t kFilesMax = UINT16_MAX;
constexpr std::uint64_t kLineMax = INT32_MAX;

const char* past_blanks(const char* p) {
  while (is(*p, kBlank)) ++p;
  return p;
}

std::uint32_t read_number(const char*& p) {
  std::uint64_t n = 0;
  for (; is(*p, kDigit); ++p)
    if (n < kLineMax) n = n * 10 + static_cast<std::uint64_t>(*p - '0');
  return static_cast<std::uint32_t>(n < kLineMax ? n : kLineMax);
}

// A file's name as the preprocessor writes it: `\` before `"` and `\`, octal for what is not
// printed. `p` stands behind the opening quote, afterwards behind the closing one.
std::string read_name(const char*& p) {
  std::string name;
  while (*p != '"' && *p != '\n') {
    if (*p != '\\') {
      name += *p++;
      continue;
    }
    ++p;
    if (*p < '0' || *p > '7') {
      if (*p != '\n') name += *p++;
      continue;
    }
    int value = 0;
    for (int digits = 0; digits < 3 && *p >= '0' && *p <= '7'; ++digits)
      value = value * 8 + (*p++ - '0');
    name += static_cast<char>(value);
  }
  if (*p == '"') ++p;
  return name;
}

}  // namespace

void scanner::directive() {
  const char* line_end = at_;
  while (*line_end != '\n') ++line_end;
  const char* p = past_blanks(at_ + 1);
  const char* name_end = p;
  while (is(*name_end, kWord)) ++name_end;
  const std::string_view name{p, static_cast<std::size_t>(name_end - p)};
  if (is(*p, kDigit)) {
    line_mark(p);
  } else if (name == "line") {
    line_mark(past_blanks(name_end));
  } else if (name == "pragma" || name == "ident" || name == "sccs") {
    if (!pragmas_.empty()) pragmas_ += '\n';
    pragmas_.append(at_, line_end);
  }
  at_ = line_end;  // #define and #undef of -dD: nothing
  space_ = true;
}

// # number ["file" flags]: 1 enters a file, 2 returns to one, 3 is a system header.
void scanner::line_mark(const char* p) {
  const std::uint32_t line = read_number(p);
  p = past_blanks(p);
  if (*p == '"') {
    const std::string name = read_name(++p);
    bool is_system = false, returns = false;
    for (p = past_blanks(p); is(*p, kDigit); p = past_blanks(p)) {
      const std::uint32_t flag = read_number(p);
      is_system |= flag == 3;
      returns |= flag == 2;
    }
    enter_file(name, is_system, returns, line);
  }
  line_ = line - 1;  // the newline of the mark itself counts one; 0 - 1 + 1 is 0
}

void scanner::enter_file(std::string_view name, bool is_system, bool returns, std::uint32_t line) {
  const std::uint16_t left = file_;
  if (!list_.files.empty() && list_.files[left].name == name &&
      list_.files[left].is_system == is_system)
    return;
  if (list_.files.size() < kFilesMax) {
    const auto next = static_cast<std::uint16_t>(list_.files.size());
    const auto [found, is_new] =
        file_indices_.try_emplace(std::string(name) + (is_system ? "\ns" : ""), next);
    if (is_new) list_.files.push_back({std::string(name), is_system});
    file_ = found->second;
  }
  source_file& before = list_.files[left];
  if (returns && before.include_line == 0 && line > 1) {
    before.includer = file_;
    before.include_line = line - 1;
  }
}

}  // namespace splitcc
