// SPDX-License-Identifier: Apache-2.0
#include "languages/id/driver/command_line.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "languages/support/suggestions.hpp"

namespace idc::driver {
namespace {

struct known_action {
  std::string_view name;
  action what;
};

constexpr known_action kActions[] = {
    {"--help", action::help},   {"--version", action::version}, {"-fsyntax-only", action::check},
    {"--print", action::print}, {"--types", action::types},     {"--core", action::core},
    {"--run", action::run},     {"--graph", action::graph},     {"--threads", action::threads},
    {"-S", action::tl0},        {"--run-tl0", action::run_tl0},
};

constexpr std::string_view kLoopBound = "--loop-bound=";
constexpr int kLoopBoundMax = 64;

[[noreturn]] void unknown(std::string_view word) {
  std::vector<std::string_view> names;
  for (const known_action& known : kActions) names.push_back(known.name);
  names.push_back(kLoopBound);
  for (std::string_view name : frontend::tam_program_option_names()) names.push_back(name);
  const std::string_view meant = frontend::nearest_option(word, names);
  std::string text = "unknown option '" + std::string(word) + "'";
  if (!meant.empty()) text += "; did you mean '" + std::string(meant) + "'?";
  throw usage_error(text);
}

int number_of(std::string_view option, std::string_view digits) {
  int number = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (wrong != std::errc() || end != digits.data() + digits.size() || number < 0)
    throw usage_error(std::string(option) + " takes a number, not '" + std::string(digits) + "'");
  return number;
}

void take_option(options& o, const std::vector<std::string>& words, std::size_t& at) {
  const std::string_view word = words[at];
  if (word == "-o") {
    if (++at == words.size()) throw usage_error("-o wants a file");
    o.output = words[at];
    return;
  }
  static constexpr std::string_view kMaxErrors = "-fmax-errors=";
  if (word.starts_with(kMaxErrors)) {
    o.errors_max = number_of("-fmax-errors", word.substr(kMaxErrors.size()));
    return;
  }
  if (word.starts_with(kLoopBound)) {
    o.loop_bound = number_of("--loop-bound", word.substr(kLoopBound.size()));
    if (o.loop_bound < 1 || o.loop_bound > kLoopBoundMax)
      throw usage_error("--loop-bound is from 1 to " + std::to_string(kLoopBoundMax));
    return;
  }
  for (const known_action& known : kActions)
    if (known.name == word) {
      o.what = known.what;
      return;
    }
  if (!frontend::read_option(words[at], o.program)) unknown(word);
}

// The ways of a program through graphs.
bool is_compiled(action what) {
  return what == action::graph || what == action::threads || what == action::tl0 ||
         what == action::run_tl0 || what == action::compile;
}

bool has_arguments(action what) { return what == action::run || what == action::run_tl0; }

void check(options& o) {
  if (o.what == action::none && o.output != "-") o.what = action::compile;
  if (o.what == action::none)
    throw usage_error("say what to do with " + o.file +
                      ": -o PROGRAM, -S, --run, --run-tl0, --threads, --graph, --core, --types, "
                      "--print, -fsyntax-only");
  if (o.loop_bound != 0 && !is_compiled(o.what))
    throw usage_error(
        "--loop-bound goes with what compiles: -o, -S, --run-tl0, --threads, --graph");
  if (o.what != action::compile && !o.program.given.empty())
    throw usage_error(o.program.given + " goes with -o alone, which makes a program");
}

}  // namespace

// What follows the file are arguments of main where it is run, else options, too.
options read_command_line(const std::vector<std::string>& words) {
  options o;
  std::size_t i = 0;
  for (; i < words.size() && words[i].size() > 1 && words[i][0] == '-'; ++i)
    take_option(o, words, i);
  if (o.what == action::help || o.what == action::version) return o;
  if (i == words.size()) throw usage_error("no file");
  o.file = words[i++];
  for (; !has_arguments(o.what) && i < words.size(); ++i) {
    if (words[i].empty() || words[i][0] != '-')
      throw usage_error("one file at a time, and here are " + o.file + " and " + words[i]);
    take_option(o, words, i);
  }
  o.arguments.assign(words.begin() + static_cast<long>(i), words.end());
  check(o);
  return o;
}

std::string help_text() {
  return "usage: idc FILE -o PROGRAM [OPTION...]\n"
         "       idc OPTION... FILE [ARGUMENT...]\n"
         "Checks, runs and compiles a program in Id; - is standard input.\n"
         "  -o PROGRAM       alone: compiles to a program for `ramjet run`\n"
         "  -S [-o FILE]     compiles the program to TL0, which tl0 takes\n"
         "  --run            runs main with the arguments, and prints its result\n"
         "  --run-tl0        the same, of the program in TL0\n"
         "  --print          prints the program as it was understood, with all parentheses\n"
         "  --types          prints the types of the program's definitions\n"
         "  --core           prints the program in the kernel language\n"
         "  --graph          prints the dataflow graphs of its functions\n"
         "  --threads        prints how they are parted in threads\n"
         "  -fsyntax-only    only checks\n"
         "  --loop-bound=K   compiled loops have at most K rounds in flight, 1 to 64;\n"
         "                   by 1 they are one activation, where rounds come in turn\n"
         "  -fmax-errors=N   stops at the Nth error; 0: never\n"
         "  --help           this text\n"
         "  --version        the version\n"
         "Of programs:\n" +
         std::string(frontend::kTamProgramHelp);
}

}  // namespace idc::driver
