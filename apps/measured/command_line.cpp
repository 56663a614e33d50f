// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <list>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace measured {
namespace {

// Whether a word is a number that would be in range, were it exact: such a word is read by way of a
// double.
bool is_inexact(std::string_view word, range r) {
  double real = 0;
  const auto read = std::from_chars(word.data(), word.data() + word.size(), real);
  return read.ec == std::errc{} && read.ptr == word.data() + word.size() && real > 0x1p53 &&
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
        fmt::format("{} {}: numbers above {} must be typed in full", flag, typed, 1ull << 53));
  }
  throw usage_error(
      fmt::format("{} {}: give {} from {} to {}", flag, typed, wanted, r.least, r.most));
}

class help_formatter : public CLI::Formatter {
 public:
  help_formatter() { column_width(22); }
  std::string make_usage(const CLI::App* app, std::string) const override {
    return fmt::format("Usage: {} [options]\n", app->get_name());
  }
};

// An option as it was typed: our own checks tell better what is wrong.
struct typed {
  std::string word;
  std::function<void(const std::string&)> interpret;
  CLI::Option* option = nullptr;
};

}  // namespace

struct command_line::parser {
  parser(const std::string& name, const std::string& about) : app(about, name) {}

  CLI::App app;
  std::list<typed> words;  // the parser keeps references to them

  void refuse_values_of_flags(int argc, char** argv) const;
};

void command_line::parser::refuse_values_of_flags(int argc, char** argv) const {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--") || word.find('=') == word.npos) continue;
    const std::string name(word.substr(0, word.find('=')));
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option != nullptr && option->get_items_expected_max() == 0)
      throw usage_error(name + " takes no value");
  }
}

bool read_number(std::string_view word, std::uint64_t& number) {
  const char *const begin = word.data(), *const end = begin + word.size();
  if (const auto r = std::from_chars(begin, end, number); r.ec == std::errc{} && r.ptr == end)
    return true;
  double real = 0;
  const auto r = std::from_chars(begin, end, real);
  if (r.ec != std::errc{} || r.ptr != end || !(real >= 0 && real <= 0x1p53)) return false;
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

command_line::command_line(const std::string& name, const std::string& about,
                           const std::string& examples)
    : parser_(std::make_unique<parser>(name, about)) {
  parser_->app.formatter(std::make_shared<help_formatter>());
  parser_->app.footer(examples);
  parser_->app.option_defaults()->take_last();
}

command_line::~command_line() = default;

void command_line::number(const std::string& flag, std::uint64_t& value, range r,
                          const std::string& what, const char* type) {
  word(flag, type, fmt::format("{}; default {}", what, value), [flag, &value, r](auto& text) {
    value = checked_number(flag, text, text, r, "a whole number");
  });
}

void command_line::numbers(const std::string& flag, std::vector<std::uint64_t>& values, range r,
                           const std::string& what) {
  word(flag, "N,...", fmt::format("{}; default {}", what, fmt::join(values, ",")),
       [flag, &values, r](auto& text) { values = checked_numbers(flag, text, r); });
}

void command_line::word(const std::string& flag, const char* type, const std::string& what,
                        std::function<void(const std::string&)> interpret) {
  typed& t = parser_->words.emplace_back();
  t.interpret = std::move(interpret);
  t.option = parser_->app.add_option(flag, t.word, what)->type_name(type);
}

void command_line::flag(const std::string& name, bool& value, const std::string& what) {
  parser_->app.add_flag(name, value, what);
}

bool command_line::is_given(const std::string& flag) const {
  return parser_->app.get_option(flag)->count() > 0;
}

void command_line::read(int argc, char** argv) {
  parser_->refuse_values_of_flags(argc, argv);
  try {
    parser_->app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw help_wanted(parser_->app.help());
  } catch (const CLI::ExtrasError&) {
    throw usage_error(fmt::format("unknown option '{}'", parser_->app.remaining().front()));
  } catch (const CLI::ArgumentMismatch&) {
    throw usage_error(fmt::format("{} needs a value", argv[argc - 1]));  // the words ran out
  } catch (const CLI::ParseError& e) {
    throw usage_error(e.what());
  }
  for (const typed& t : parser_->words)
    if (t.option->count() > 0) t.interpret(t.word);
}

}  // namespace measured
