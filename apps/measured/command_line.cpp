// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

#include <fmt/format.h>

namespace measured {
namespace {

// Whether a word is a number that would be in range, were it exact: such a word is read by way of a
// double, and from 2^53 on two numbers may be the same double.
bool is_inexact(std::string_view word, range r) {
  double real = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), real);
  return read.ec == std::errc{} && read.ptr == word.data() + word.size() && real >= 0x1p53 &&
         real < 0x1p64 && real <= static_cast<double>(r.most);
}

// The number that a word stands for; throws what is wrong with `typed`, of which it is all or one
// part. `wanted` says what the option takes: "a whole number" or "whole numbers".
std::uint64_t checked_number(const std::string& flag, std::string_view typed, std::string_view word,
                             range r, const char* wanted) {
  std::uint64_t number = 0;
  if (read_number(word, number)) {
    if (number >= r.least && number <= r.most) return number;
  } else if (is_inexact(word, r)) {
    throw usage_error(
        fmt::format("{} {}: numbers from {} on must be typed in full", flag, typed, 1ull << 53));
  }
  throw usage_error(
      fmt::format("{} {}: give {} from {} to {}", flag, typed, wanted, r.least, r.most));
}

}  // namespace

bool read_number(std::string_view word, std::uint64_t& number) {
  const char *const begin = word.data(), *const end = begin + word.size();
  if (const auto r = std::from_chars(begin, end, number); r.ec == std::errc{} && r.ptr == end)
    return true;
  double real = 0;
  const auto r = std::from_chars(begin, end, real);
  if (r.ec != std::errc{} || r.ptr != end || !(real >= 0 && real < 0x1p53)) return false;
  number = static_cast<std::uint64_t>(real);
  return std::trunc(real) == real;
}

std::vector<std::uint64_t> checked_numbers(const std::string& flag, const std::string& word,
                                           range r) {
  std::vector<std::uint64_t> values;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    const std::string_view part(word.data() + begin, end - begin);
    values.push_back(checked_number(flag, word, part, r, "whole numbers"));
    begin = end + 1;
  }
  return values;
}

std::vector<std::size_t> checked_names(const std::string& flag, const std::string& word,
                                       const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    const std::string part = word.substr(begin, end - begin);
    const auto found = std::find(names.begin(), names.end(), part);
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (found == names.end())
      throw usage_error(fmt::format("{} {}: give some of {}", flag, word, fmt::join(names, ",")));
    if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
    begin = end + 1;
  }
  return places;
}

command_line::command_line(const std::string& name, const std::string& about,
                           const std::string& examples)
    : line_(name, about, "Usage: " + name + " [options]", examples) {}

void command_line::number(const std::string& flag, std::uint64_t& value, range r,
                          const std::string& what, const char* type) {
  const bool is_usual = value >= r.least;  // else 0 stands for "none"
  const std::string about = is_usual ? fmt::format("{}; default {}", what, value) : what;
  word(flag, type, about, [flag, &value, r](auto& text) {
    value = checked_number(flag, text, text, r, "a whole number");
  });
}

void command_line::numbers(const std::string& flag, std::vector<std::uint64_t>& values, range r,
                           const std::string& what) {
  const std::string about =
      values.empty() ? what : fmt::format("{}; default {}", what, fmt::join(values, ","));
  word(flag, "N,...", about,
       [flag, &values, r](auto& text) { values = checked_numbers(flag, text, r); });
}

void command_line::word(const std::string& flag, const char* type, const std::string& what,
                        std::function<void(const std::string&)> interpret) {
  typed& t = words_.emplace_back();
  t.flag = flag;
  t.interpret = std::move(interpret);
  line_.word(flag, type, what, t.word);
}

void command_line::flag(const std::string& name, bool& value, const std::string& what) {
  line_.flag(name, what, value);
}

bool command_line::is_given(const std::string& flag) const { return line_.is_given(flag); }

void command_line::read(int argc, char** argv) {
  try {
    line_.read(argc, argv);
  } catch (const console::help_wanted& help) {
    throw help_wanted(help.what());
  } catch (const console::usage_error& wrong) {
    throw usage_error(wrong.what());
  }
  for (const typed& t : words_)
    if (is_given(t.flag)) t.interpret(t.word);
}

}  // namespace measured
