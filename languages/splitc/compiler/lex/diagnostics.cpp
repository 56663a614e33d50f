// SPDX-License-Identifier: Apache-2.0
// Places of tokens. Tokens have the columns of the preprocessor's output; those of the user's line
// are looked for when one is needed, by the words of the line.
#include "languages/splitc/compiler/lex/diagnostics.hpp"

#include <algorithm>

#include "languages/splitc/compiler/lex/token_lines.hpp"

namespace splitcc {

// A message that is off looks for no column.
void diagnostics::warning(token_index at, std::string_view name, std::string_view text) {
  place where;
  where.in_system_header = tokens_->files[tokens_->tokens[at].file].is_system;
  warning(is_shown(where, name) ? place_of(at) : where, name, text);
}

place diagnostics::place_of(token_index at) const {
  place where;
  if (!tokens_ || at >= tokens_->tokens.size()) return where;
  const token& t = tokens_->tokens[at];
  where.file = tokens_->files[t.file].name;
  where.line = t.line;
  where.in_system_header = tokens_->files[t.file].is_system;
  std::string_view text = t.text.substr(0, t.text.find('\n'));
  if (const auto user_line = known_lines().line(where.file, t.line)) {
    where.source = *user_line;
    where.column = column_in(*user_line, *tokens_, at);
  } else {
    where.source = line_in_buffer(*tokens_, at);
    where.column = t.column;
  }
  if (where.column == 0) where.column = 1;
  const std::size_t room =
      where.source.size() + 1 - std::min<std::size_t>(where.column, where.source.size());
  where.width = static_cast<std::uint32_t>(std::clamp<std::size_t>(text.size(), 1, room));
  if (t.kind == token_kind::end || !frontend::is_at(where.source, where.column, text))
    where.width = 1;
  return where;
}

std::string diagnostics::context_of(const place& where, bool color) {
  if (!tokens_ || last().file == where.file) return "";
  std::string text;
  const auto& files = tokens_->files;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i].name != where.file) continue;
    for (std::size_t n = 0; files[i].include_line != 0 && n < files.size(); ++n) {
      text += text.empty() ? "In file included from " : ",\n                 from ";
      text +=
          bold(color, files[files[i].includer].name + ":" + std::to_string(files[i].include_line));
      i = files[i].includer;
    }
    break;
  }
  return text.empty() ? text : text + ":\n";
}

}  // namespace splitcc
