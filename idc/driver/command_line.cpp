// SPDX-License-Identifier: Apache-2.0
#include "idc/driver/command_line.hpp"

#include <charconv>
#include <string_view>

#include "frontend/suggestions.hpp"

namespace idc::driver {
namespace {

struct known_action {
  std::string_view name;
  action what;
};

constexpr known_action kActions[] = {
    {"--help", action::help},   {"--version", action::version}, {"-fsyntax-only", action::check},
    {"--print", action::print}, {"--types", action::types},     {"--core", action::core},
    {"--run", action::run},
};

[[noreturn]] void unknown(std::string_view word) {
  std::vector<std::string_view> names;
  for (const known_action& known : kActions) names.push_back(known.name);
  const std::string_view meant = frontend::nearest(word, names);
  std::string text = "unknown option '" + std::string(word) + "'";
  if (!meant.empty()) text += "; did you mean '" + std::string(meant) + "'?";
  throw usage_error(text);
}

int number_of(std::string_view digits) {
  int number = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (wrong != std::errc() || end != digits.data() + digits.size() || number < 0)
    throw usage_error("-fmax-errors takes a number, not '" + std::string(digits) + "'");
  return number;
}

void take_option(options& o, std::string_view word) {
  static constexpr std::string_view kMaxErrors = "-fmax-errors=";
  if (word.starts_with(kMaxErrors)) {
    o.errors_max = number_of(word.substr(kMaxErrors.size()));
    return;
  }
  for (const known_action& known : kActions)
    if (known.name == word) {
      o.what = known.what;
      return;
    }
  unknown(word);
}

}  // namespace

// What follows the file are arguments of main.
options read_command_line(const std::vector<std::string>& words) {
  options o;
  std::size_t i = 0;
  for (; i < words.size() && words[i].size() > 1 && words[i][0] == '-'; ++i)
    take_option(o, words[i]);
  if (o.what == action::help || o.what == action::version) return o;
  if (i == words.size()) throw usage_error("no file");
  o.file = words[i++];
  o.arguments.assign(words.begin() + static_cast<long>(i), words.end());
  if (o.what == action::none)
    throw usage_error("say what to do with " + o.file +
                      ": --run, --core, --types, --print, -fsyntax-only");
  return o;
}

std::string help_text() {
  return "usage: idc OPTION... FILE [ARGUMENT...]\n"
         "Checks and runs a program in Id; - is standard input.\n"
         "  --run            runs main with the arguments, and prints its result\n"
         "  --print          prints the program as it was understood, with all parentheses\n"
         "  --types          prints the types of the program's definitions\n"
         "  --core           prints the program in the kernel language\n"
         "  -fsyntax-only    only checks\n"
         "  -fmax-errors=N   stops at the Nth error; 0: never\n"
         "  --help           this text\n"
         "  --version        the version\n";
}

}  // namespace idc::driver
