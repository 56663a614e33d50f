// SPDX-License-Identifier: Apache-2.0
// Where in the user's line a token of the preprocessed line stands: the longest common subsequence
// of the words of both lines tells it; what is only in the user's line is a macro's use, what is
// only in the other its expansion.
#include <algorithm>
#include <functional>

#include "languages/splitc/compiler/lex/scanner.hpp"
#include "languages/splitc/compiler/lex/token_lines.hpp"

namespace splitcc {
namespace {

constexpr std::size_t kPairsMax = 4'000'000;  // words of one line times words of the other
constexpr std::size_t kNone = ~std::size_t{0};

bool is_word(char c) {
  return characters::is(c, characters::kWord) || characters::is_beyond_ascii(c);
}

// The end of the literal that begins at `at`.
std::size_t past_literal(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

std::size_t past_comment(std::string_view text, std::size_t at) {
  if (text[at + 1] == '/') return text.size();
  const std::size_t close = text.find("*/", at + 2);
  return close == std::string_view::npos ? text.size() : close + 2;
}

// Words, literals and single marks; no comments.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (c == '/' && end < text.size() && (text[end] == '*' || text[end] == '/')) {
      at = past_comment(text, at);
      continue;
    }
    if (c == '"' || c == '\'') end = past_literal(text, at);
    if (is_word(c))
      end = static_cast<std::size_t>(std::find_if_not(text.begin() + at, text.end(), is_word) -
                                     text.begin());
    if (!characters::is(c, characters::kBlank)) words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// lengths[i][j]: of the longest common subsequence of a[i..] and b[j..].
class common_words {
 public:
  common_words(const std::vector<std::string_view>& a, const std::vector<std::string_view>& b)
      : a_(a), b_(b), lengths_((a.size() + 1) * (b.size() + 1)) {
    for (std::size_t i = a.size(); i-- > 0;)
      for (std::size_t j = b.size(); j-- > 0;)
        length(i, j) =
            a[i] == b[j] ? length(i + 1, j + 1) + 1 : std::max(length(i + 1, j), length(i, j + 1));
  }

  // The word of `a` for each of `b`; kNone: there is none.
  std::vector<std::size_t> partners() {
    std::vector<std::size_t> found(b_.size(), kNone);
    for (std::size_t i = 0, j = 0; i < a_.size() && j < b_.size();) {
      if (a_[i] == b_[j] && length(i, j) == length(i + 1, j + 1) + 1) {
        found[j++] = i++;
      } else if (length(i + 1, j) >= length(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
    return found;
  }

 private:
  std::uint16_t& length(std::size_t i, std::size_t j) { return lengths_[i * (b_.size() + 1) + j]; }

  const std::vector<std::string_view>& a_;
  const std::vector<std::string_view>& b_;
  std::vector<std::uint16_t> lengths_;
};

// The words of the tokens of the line, and the number of the first word of the token `at`.
std::size_t line_words(const token_list& tokens, token_index at,
                       std::vector<std::string_view>& words) {
  const token& wanted = tokens.tokens[at];
  // What a macro of a system header stands for is of a file of its own, with the same name.
  const std::string_view file = tokens.files[wanted.file].name;
  const auto same_line = [&](token_index i) {
    const token& t = tokens.tokens[i];
    return t.line == wanted.line && t.kind != token_kind::end &&
           (t.file == wanted.file || tokens.files[t.file].name == file);
  };
  token_index i = at;
  while (i > 0 && same_line(i - 1)) --i;
  std::size_t number = 0;
  for (; i < tokens.tokens.size() && same_line(i); ++i) {
    if (i == at) number = words.size();
    for (std::string_view word : words_of(tokens.tokens[i].text)) words.push_back(word);
  }
  return number;
}

std::uint32_t column_of(std::string_view line, std::string_view word) {
  return static_cast<std::uint32_t>(word.data() - line.data() + 1);
}

}  // namespace

std::string_view line_in_buffer(const token_list& tokens, token_index at) {
  const std::string_view text = tokens.tokens[at].text;
  const std::string_view unit = tokens.text;
  const std::less<const char*> before;
  if (before(text.data(), unit.data()) || !before(text.data(), unit.data() + unit.size()))
    return {};  // a rewritten literal
  const auto offset = static_cast<std::size_t>(text.data() - unit.data());
  const std::size_t newline = offset == 0 ? std::string_view::npos : unit.rfind('\n', offset - 1);
  const std::size_t start = newline == std::string_view::npos ? 0 : newline + 1;
  return unit.substr(start, unit.find('\n', offset) - start);
}

std::uint32_t column_in(std::string_view user_line, const token_list& tokens, token_index at) {
  const token& wanted = tokens.tokens[at];
  if (wanted.kind == token_kind::end) return static_cast<std::uint32_t>(user_line.size() + 1);
  std::vector<std::string_view> made;
  const std::size_t number = line_words(tokens, at, made);
  const std::vector<std::string_view> written = words_of(user_line);
  if (written.empty() || number >= made.size() || written.size() > kPairsMax / made.size())
    return wanted.column;
  const std::vector<std::size_t> partners = common_words(written, made).partners();
  if (partners[number] != kNone) return column_of(user_line, written[partners[number]]);
  std::size_t before = kNone, behind = written.size();
  for (std::size_t i = 0; i < made.size(); ++i) {
    if (partners[i] == kNone) continue;
    (i < number ? before : behind) = partners[i];
    if (i > number) break;
  }
  const std::size_t use = before + 1;  // kNone + 1 is 0
  return column_of(user_line, written[use < behind ? use : std::min(before, written.size() - 1)]);
}

}  // namespace splitcc
