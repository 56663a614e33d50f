// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/command_line.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "languages/splitc/compiler/driver/option_table.hpp"

namespace splitcc::driver {
namespace {

constexpr std::string_view kSourcesOfC[] = {".c",  ".i",   ".s", ".S", ".sx", ".cpp",
                                            ".cc", ".cxx", ".C", ".f", ".f90"};

bool fits(const known_option& known, std::string_view word) {
  const bool exactly = known.form == value_form::none || known.form == value_form::separate;
  return exactly ? word == known.name : word.starts_with(known.name);
}

// Of those that fit the longest: `-MF` before `-M`, `-std=` before `-s`.
const known_option* find_option(std::string_view word) {
  const known_option* best = nullptr;
  for (const known_option& known : known_options())
    if (fits(known, word) && (!best || known.name.size() > best->name.size())) best = &known;
  return best;
}

// Whether the translation to C depends on the option.
bool concerns_front_end(std::string_view option) {
  constexpr std::string_view kBeginnings[] = {
      "-I", "-D", "-U", "-i",     "-std=",     "-ansi",    "-f",
      "-O", "-w", "-P", "-undef", "-nostdinc", "-pedantic"};
  return option == "-W" || std::ranges::any_of(kBeginnings, [&](std::string_view start) {
           return option.starts_with(start);
         });
}

language language_of(const std::string& name, const std::string& forced) {
  if (forced == "splitc") return language::splitc;
  if (forced == "splitc-cpp-output") return language::splitc_preprocessed;
  if (!forced.empty()) return language::foreign;
  const std::string ending = std::filesystem::path(name).extension().string();
  if (ending == ".sc") return language::splitc;
  if (ending == ".sci") return language::splitc_preprocessed;
  return std::ranges::count(kSourcesOfC, ending) ? language::foreign : language::linked;
}

void add_input(options& o, const std::string& name) {
  if (name == "-" && o.forced.empty())
    throw usage_error("to read standard input, say its language: -x splitc -");
  o.inputs.push_back({name, language_of(name, o.forced), o.forced});
}

// The option at `at`, whose value may be the next word; returns the index of the last word read.
std::size_t read_option(options& o, const std::vector<std::string>& words, std::size_t at) {
  const std::string& word = words[at];
  const std::size_t first = at;
  const known_option* known = find_option(word);
  if (!known) throw usage_error(unknown_option(word));
  std::string value = word.substr(known->name.size());
  const bool next = known->form == value_form::separate ||
                    (known->form == value_form::joined_or_separate && value.empty());
  if (next) {
    if (++at == words.size()) throw usage_error("a value is missing behind '" + word + "'");
    value = words[at];
  }
  known->apply(o, known->name, value);
  for (std::size_t i = first; i <= at && concerns_front_end(known->name); ++i)
    o.front_end.push_back(words[i]);
  return at;
}

bool is_source(const input& i) { return i.is != language::linked; }

// Code for a shared object may stand anywhere.
bool lacks_pic(const options& o) {
  return o.shared && o.last == stage::link && std::ranges::any_of(o.inputs, is_source) &&
         std::ranges::none_of(
             o.passed, [](const passed_word& p) { return p.word == "-fPIC" || p.word == "-fpic"; });
}

const std::string& first_file(const options& o) {
  return std::ranges::find_if(o.inputs, [](const input& i) { return !i.name.starts_with('-'); })
      ->name;
}

void check(const options& o) {
  if (o.inputs.empty() || std::ranges::none_of(o.inputs, [](const input& i) {
        return is_source(i) || !i.name.starts_with('-');
      }))
    throw usage_error("no input files");
  const auto sources = std::ranges::count_if(o.inputs, is_source);
  if (o.check && o.position_independent)
    throw usage_error(
        "-fcheck is for programs at a fixed address: not with -fPIC, -fpie, -pie or -shared");
  const bool is_sanitized = std::ranges::any_of(o.passed, [](const passed_word& p) {
    return p.word.starts_with("-fsanitize=") && (p.word.find("thread") != std::string::npos ||
                                                 p.word.find("address") != std::string::npos);
  });
  if (o.check && is_sanitized)
    throw usage_error("-fcheck looks at each access itself: not with -fsanitize=thread or address");
  if (lacks_pic(o)) throw usage_error("-shared needs sources to be compiled with -fPIC: add it");
  if (o.last != stage::link && sources == 0)
    throw usage_error("no source files: by its ending, '" + first_file(o) +
                      "' is for the linker; -x splitc takes it for a source");
  if (!o.output.empty() && o.last != stage::link && sources > 1)
    throw usage_error("-o names one file, but there are " + std::to_string(sources) +
                      " sources to compile");
  if (!o.dependencies.file.empty() && sources > 1 && o.dependencies.file != "-")
    throw usage_error("-MF names one file, but there are " + std::to_string(sources) + " sources");
}

}  // namespace

std::vector<std::string> options::words_for(receiver r) const {
  std::vector<std::string> words;
  for (const auto& [word, to] : passed)
    if (to & r) words.push_back(word);
  return words;
}

options read_command_line(std::vector<std::string> words) {
  words = with_response_files(std::move(words));
  options o;
  o.messages.color = isatty(STDERR_FILENO) && !std::getenv("NO_COLOR");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() > 1 && words[i][0] == '-') {
      i = read_option(o, words, i);
    } else {
      add_input(o, words[i]);
    }
  }
  if (o.optimisation == "-O0" || o.check) turn_passes_off(o);
  if (o.what == action::work && !(o.verbose && o.inputs.empty())) check(o);
  return o;
}

}  // namespace splitcc::driver
