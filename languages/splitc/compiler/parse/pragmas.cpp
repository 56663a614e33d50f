// SPDX-License-Identifier: Apache-2.0
// #pragma lines: ours and those that change layout. All stay in the output.
#include <charconv>

#include "languages/splitc/compiler/parse/grammar.hpp"

namespace splitcc {

namespace {

std::string_view next_word(std::string_view& line) {
  constexpr std::string_view kBlanks = " \t(),";
  const std::size_t first = line.find_first_not_of(kBlanks);
  if (first == line.npos) return line = {};
  std::size_t last = line.find_first_of(kBlanks, first);
  if (last == line.npos) last = line.size();
  const std::string_view word = line.substr(first, last - first);
  line.remove_prefix(last);
  return word;
}

}  // namespace

// The lines before the token here.
void parser::pragmas() {
  const auto found = unit_.pragmas.find(at_);
  if (found == unit_.pragmas.end()) return;
  std::string_view lines = found->second;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    pragma(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

// # pragma splitc library begin
// # pragma splitc library end
// # pragma pack ...
void parser::pragma(std::string_view line) {
  std::string_view word = next_word(line);
  if (word == "#") word = next_word(line);
  if (word == "#pragma" || word == "pragma") word = next_word(line);
  if (word == "pack") return pragma_pack(line);
  if (word != "splitc" || next_word(line) != "library") return;
  word = next_word(line);
  if (word == "begin" || word == "end") meaning_.declarations.set_library(word == "begin");
}

// pack([n])  pack(push [, name] [, n])  pack(pop [, name])
void parser::pragma_pack(std::string_view words) {
  std::string_view word = next_word(words);
  if (word == "pop") {
    pack_ = packs_.empty() ? 0 : packs_.back();
    if (!packs_.empty()) packs_.pop_back();
    return;
  }
  if (word.empty()) pack_ = 0;
  if (word == "push") {
    packs_.push_back(pack_);
    word = next_word(words);
  }
  for (; !word.empty(); word = next_word(words)) {
    std::uint32_t n = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), n);
    if (problem == std::errc{} && n <= 16) pack_ = n;
  }
}

}  // namespace splitcc
