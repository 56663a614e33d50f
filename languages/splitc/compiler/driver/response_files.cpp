// SPDX-License-Identifier: Apache-2.0
// @file on the command line: its words stand for it. A file that cannot be read is a word as it is,
// as with gcc.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "languages/splitc/compiler/driver/command_line.hpp"

namespace splitcc::driver {
namespace {

constexpr int kNestingMax = 100;  // a file that names itself
constexpr int kFilesMax = 10'000;  // files that name each other

constexpr std::string_view kBlanks = " \t\n\r\v\f";

// One word from `at` on, which is not blank; afterwards behind it.
std::string next_word(std::string_view text, std::size_t& at) {
  std::string word;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && at + 1 < text.size()) {
      word += text[++at];
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (kBlanks.find(c) != std::string_view::npos) {
      break;
    } else {
      word += c;
    }
  }
  return word;
}

std::optional<std::string> text_of(const std::string& name) {
  std::error_code unknown;
  if (std::filesystem::is_directory(name, unknown)) return std::nullopt;
  std::ifstream in(name, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) return std::nullopt;
  return text;
}

void add(std::vector<std::string>& all, std::string word, int nesting, int& files) {
  std::optional<std::string> text;
  if (word.size() > 1 && word[0] == '@') text = text_of(word.substr(1));
  if (!text) {
    all.push_back(std::move(word));
    return;
  }
  if (nesting == kNestingMax)
    throw usage_error("'" + word + "' is nested too deeply; does it name itself?");
  if (++files > kFilesMax)
    throw usage_error("there are over 10000 files of words; do they name each other?");
  for (std::size_t at = text->find_first_not_of(kBlanks); at < text->size();
       at = text->find_first_not_of(kBlanks, at))
    add(all, next_word(*text, at), nesting + 1, files);
}

}  // namespace

std::vector<std::string> with_response_files(std::vector<std::string> words) {
  std::vector<std::string> all;
  int files = 0;
  for (std::string& word : words) add(all, std::move(word), 0, files);
  return all;
}

}  // namespace splitcc::driver
