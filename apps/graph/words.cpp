// SPDX-License-Identifier: Apache-2.0
#include "words.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

namespace graph {
namespace {

constexpr std::string_view kBlanks = " \t\v\f";
constexpr std::size_t kShownMax = 40;

template <class Number>
std::from_chars_result read(std::string_view word, Number& number) {
  return std::from_chars(word.data(), word.data() + word.size(), number);
}

bool is_whole_number(std::string_view word) {
  long long number = 0;
  const auto found = read(word, number);
  return found.ec != std::errc::invalid_argument && found.ptr == word.data() + word.size();
}

}  // namespace

std::string_view take_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(kBlanks), line.size());
  const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

std::uint64_t take_number(const text_lines& lines, std::string_view& line, const char* what) {
  const std::string_view word = take_word(line);
  std::uint64_t number = 0;
  if (word.empty()) lines.fail(fmt::format("ends where {} should be", what));
  const auto found = read(word, number);
  if (found.ec == std::errc::invalid_argument || found.ptr != word.data() + word.size())
    lines.fail(fmt::format("'{}' stands where {} should be", word.substr(0, kShownMax), what));
  if (found.ec != std::errc{})
    lines.fail(fmt::format("'{}', {}, is more than 64 bits hold", word.substr(0, kShownMax), what));
  return number;
}

double value_of(const text_lines& lines, std::string_view word, bool is_whole) {
  std::string copy(word.size() > 1 && word.front() == '+' && word[1] != '-' ? word.substr(1)
                                                                            : word);
  double number = 0;
  if (!is_whole)
    std::replace_if(copy.begin(), copy.end(), [](char c) { return c == 'd' || c == 'D'; }, 'e');
  const auto found = read(copy, number);
  if (word.empty()) lines.fail("ends where a value should be");
  if (found.ec == std::errc::invalid_argument || found.ptr != copy.data() + copy.size() ||
      (is_whole && !is_whole_number(copy)))
    lines.fail(fmt::format("'{}' stands where a{} number should be", word.substr(0, kShownMax),
                           is_whole ? " whole" : ""));
  // Beyond a double's range: zero, or infinity.
  return found.ec == std::errc{} ? number : std::strtod(copy.c_str(), nullptr);
}

void check_end(const text_lines& lines, std::string_view line, const char* what) {
  if (const std::string_view more = take_word(line); !more.empty())
    lines.fail(fmt::format("'{}' stands behind {}", more.substr(0, kShownMax), what));
}

bool is_blank(std::string_view line) { return line.find_first_not_of(kBlanks) == line.npos; }

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kBlanks);
  return first != line.npos && (line[first] == '#' || line[first] == '%');
}

}  // namespace graph
