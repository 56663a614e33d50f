// SPDX-License-Identifier: Apache-2.0
#include "tools/cli/command_line.hpp"

#include <charconv>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <CLI/CLI.hpp>

namespace console {
namespace {

// The look of the help: a usage line of our own; descriptions wrapped beside their options.
class help_formatter : public CLI::Formatter {
 public:
  explicit help_formatter(std::string usage) : usage_(std::move(usage)) {}

  std::string make_usage(const CLI::App*, std::string) const override { return usage_ + "\n"; }

  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    constexpr std::size_t kIndent = 28, kColumns = 100;
    std::string line = "  " + make_option_name(option, is_positional);
    if (!option->get_type_name().empty()) line += " " + option->get_type_name();
    std::string out;
    if (line.size() >= kIndent) out = std::exchange(line, "") + "\n";
    line.resize(kIndent, ' ');
    std::istringstream words(option->get_description());
    for (std::string word; words >> word;) {
      if (line.size() + 1 + word.size() > kColumns) {
        out += line + "\n";
        line.assign(kIndent, ' ');
      }
      if (line.size() > kIndent) line += ' ';
      line += word;
    }
    return out + line + "\n";
  }

 private:
  std::string usage_;
};

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

template <class Number>
bool read_all(const std::string& word, Number& value) {
  const char* const end = word.data() + word.size();
  const auto [stop, error] = std::from_chars(word.data(), end, value);
  return error == std::errc{} && stop == end;
}

}  // namespace

struct command_line::parser {
  parser(const std::string& name, const std::string& about) : app(about, name) {}
  // Of an option that is given a value, as --json=3, and takes none; else nothing happens.
  void refuse_values_of_flags(int argc, const char* const* argv) const;
  // Of what was read: an empty word, as of a shell's variable that is not set, is no value.
  void refuse_empty_values() const;

  CLI::App app;
};

void command_line::parser::refuse_values_of_flags(int argc, const char* const* argv) const {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--") break;
    if (!word.starts_with("--") || word.find('=') == word.npos) continue;
    const std::string name(word.substr(0, word.find('=')));
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option != nullptr && !takes_value(*option)) throw usage_error(name + " takes no value");
  }
}

void command_line::parser::refuse_empty_values() const {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional() || !takes_value(*option)) continue;
    for (const std::string& word : option->results()) {
      if (!word.empty()) continue;
      throw usage_error(option->get_name() + " '': give a value that is not empty");
    }
  }
}

command_line::command_line(const std::string& name, const std::string& about,
                           const std::string& usage, const std::string& footer)
    : parser_(std::make_unique<parser>(name, about)) {
  parser_->app.formatter(std::make_shared<help_formatter>(usage));
  parser_->app.footer(footer);
  parser_->app.option_defaults()->take_last();
}

command_line::~command_line() = default;

void command_line::word(const std::string& option, const char* type, const std::string& what,
                        std::string& value) {
  parser_->app.add_option(option, value, what)->type_name(type);
}

void command_line::words(const std::string& option, const char* type, const std::string& what,
                         std::vector<std::string>& values) {
  parser_->app.add_option(option, values, what)->type_name(type)->expected(1)->take_all();
}

void command_line::positional(const std::string& name, const std::string& what,
                              std::vector<std::string>& values) {
  parser_->app.add_option(name, values, what)->type_name("")->take_all();
}

void command_line::flag(const std::string& name, const std::string& what, bool& value) {
  parser_->app.add_flag(name, value, what);
}

void command_line::read(int argc, const char* const* argv) {
  CLI::App& app = parser_->app;
  parser_->refuse_values_of_flags(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    throw help_wanted(app.help());
  } catch (const CLI::ExtrasError&) {
    const std::string word = app.remaining().front();
    const bool is_option = word.size() > 1 && word[0] == '-';
    throw usage_error((is_option ? "unknown option '" : "unexpected argument '") + word + "'");
  } catch (const CLI::ArgumentMismatch&) {
    throw usage_error(std::string(argv[argc - 1]) + " needs a value");  // the words ran out
  } catch (const CLI::ParseError& error) {
    throw usage_error(error.what());
  }
  parser_->refuse_empty_values();
}

bool command_line::is_given(const std::string& option) const {
  return parser_->app.get_option(option)->count() > 0;
}

int command_line::first_of_program(int argc, const char* const* argv) const {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--" || word.size() < 2 || word[0] != '-') return i;
    const bool is_long = word[1] == '-';
    const std::size_t name_end = is_long ? word.find('=') : 2;
    const CLI::Option* const option =
        parser_->app.get_option_no_throw(std::string(word.substr(0, name_end)));
    const bool has_value = name_end < word.size();
    if (option != nullptr && !has_value && takes_value(*option)) ++i;
  }
  return argc;
}

bool read_number(const std::string& word, long long& value) { return read_all(word, value); }
bool read_number(const std::string& word, double& value) { return read_all(word, value); }

}  // namespace console
