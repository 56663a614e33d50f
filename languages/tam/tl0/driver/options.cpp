// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/driver/options.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "languages/support/suggestions.hpp"

namespace tl0::driver {
namespace {

constexpr std::string_view kHelp = R"(tl0: code blocks of the threaded abstract machine

usage: tl0 [OPTION...] FILE
       tl0 --run [OPTION...] FILE [ARGUMENT...]

With -o PROGRAM alone, FILE is compiled to a program for `ramjet run`; without any action it is
checked. "-" is the standard input.

  -fsyntax-only           check the program, and write nothing
  --run                   execute it, on one rank and slowly: the reference
  --counts                after --run: how much was executed, on standard error
  --print                 write the program in its canonical form
  -S                      write the program in C, over ramjet/tam.h
  --dot                   write the graphs of its code blocks, for Graphviz
  --svg                   draw them, by Graphviz's command dot
  -o FILE                 the program; after an action: where to write, else, and for "-", to
                          standard output
  -w                      no warnings
  -Werror                 warnings are errors
  -fmax-errors=N          stop after N errors (20); 0: never
  --help, --version
Of programs:
)";

struct flag {
  std::string_view word;
  action what;
};
constexpr flag kActions[] = {
    {"-fsyntax-only", action::check}, {"--run", action::run}, {"--print", action::print},
    {"-S", action::translate},        {"--dot", action::dot}, {"--svg", action::svg},
    {"--help", action::help},         {"-h", action::help},   {"--version", action::version}};

[[noreturn]] void refuse_unknown(const std::string& word) {
  std::vector<std::string_view> known = frontend::tam_program_option_names();
  for (std::string_view own : {"-o", "-w", "-Werror", "--counts", "-fmax-errors="})
    known.push_back(own);
  for (const flag& f : kActions) known.push_back(f.word);
  const std::string_view meant = frontend::nearest_option(word, known);
  throw usage_error("there is no option " + word +
                    (meant.empty() ? "" : "; did you mean " + std::string(meant) + "?"));
}

bool read_action(const std::string& word, options& o) {
  for (const flag& f : kActions) {
    if (word != f.word) continue;
    if (o.was_asked && o.what != f.what && f.what != action::help)
      throw usage_error(
          "of -fsyntax-only, --run, --print, --dot, --svg and -S only one can be asked");
    o.what = f.what;
    o.was_asked = true;
    return true;
  }
  return false;
}

void read_option(const std::vector<std::string>& words, std::size_t& at, options& o) {
  const std::string& word = words[at];
  constexpr std::string_view kMaxErrors = "-fmax-errors=";
  if (read_action(word, o)) return;
  if (word == "-o") {
    if (at + 1 == words.size()) throw usage_error("-o wants the name of a file");
    o.output = words[++at];
  } else if (word == "-w") {
    o.messages.warnings = false;
  } else if (word == "-Werror") {
    o.messages.warnings_are_errors = true;
  } else if (word == "--counts") {
    o.with_counts = true;
  } else if (word.starts_with(kMaxErrors)) {
    const std::string number = word.substr(kMaxErrors.size());
    if (number.empty() || number.size() > 8 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      throw usage_error(word + ": expected a number");
    o.messages.errors_max = std::atoi(number.c_str());
  } else if (!frontend::read_option(word, o.program)) {
    refuse_unknown(word);
  }
}

}  // namespace

options read_command_line(const std::vector<std::string>& words) {
  options o;
  o.messages.color = isatty(STDERR_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  bool is_input = false;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (is_input && o.what == action::run) {
      o.arguments.push_back(word);
    } else if (word.size() > 1 && word.front() == '-') {
      read_option(words, at, o);
    } else if (is_input) {
      throw usage_error("one file at a time, and here are " + o.input + " and " + word);
    } else {
      o.input = word;
      is_input = true;
    }
  }
  if (!is_input && o.what != action::help && o.what != action::version)
    throw usage_error("no file");
  if (o.with_counts && o.what != action::run) throw usage_error("--counts goes with --run");
  if (!o.was_asked && !o.output.empty()) o.what = action::compile;
  if (o.what == action::compile && o.output == "-")
    throw usage_error("a program is written to a file, not to standard output");
  if (o.what != action::compile && !o.program.given.empty())
    throw usage_error(o.program.given + " goes with -o alone, which makes a program");
  return o;
}

std::string help_text() { return std::string(kHelp) + std::string(frontend::kTamProgramHelp); }

}  // namespace tl0::driver
