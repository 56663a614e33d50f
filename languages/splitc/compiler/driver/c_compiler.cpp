// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/c_compiler.hpp"

#include <algorithm>
#include <filesystem>

#include "languages/splitc/compiler/driver/dialect.hpp"
#include "languages/splitc/compiler/driver/option_table.hpp"
#include "languages/splitc/compiler/driver/segment.hpp"

namespace splitcc::driver {
namespace {

void append(command& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

// What gcc 2 took for granted: programs alias at will, count past the end of int, define a variable
// in every unit, and read automatic variables that they never set.
const command kOldWays = {"-fcommon", "-fno-strict-aliasing", "-fwrapv",
                          "-ftrivial-auto-var-init=zero"};

// On AMD's processors a loop of few instructions that lies across two pieces of 32 bytes runs at
// half its pace, and where it comes to lie is chance (ramjet bench splitc_own_sum).
command placement_of_loops(const options& o) {
  const std::string& level = o.optimisation;
  if (level != "-O2" && level != "-O3" && level != "-Ofast") return {};
  return {"-falign-loops=32"};
}

// The calls that the C compiler puts in front of plain accesses are those of the run-time, which
// knows the lines of the code from the tables for debuggers.
command checks(const options& o) {
  if (!o.check) return {};
  command words = {"-fsanitize=thread", "--param=tsan-distinguish-volatile=1",
                   "--param=tsan-instrument-func-entry-exit=0", "-fno-optimize-sibling-calls"};
  if (!o.debugging) words.push_back("-g1");
  return words;
}

command warnings(const options& o) {
  if (!o.c_warnings || !o.messages.warnings) return {"-w"};
  command words;
  for (std::string_view quiet : said_already()) words.emplace_back(quiet);
  return words;
}

std::string stage_word(const options& o) {
  switch (o.last) {
    case stage::dependencies:
      return o.dependencies.system_headers ? "-M" : "-MM";
    case stage::preprocess:
      return "-E";
    case stage::syntax:
      return "-fsyntax-only";
    case stage::assembly:
      return "-S";
    default:
      return "-c";
  }
}

command dependency_words(const options& o, const std::string& object) {
  const dependency_options& d = o.dependencies;
  if (!d.wanted) return {};
  command words;
  if (o.last != stage::dependencies) {
    words.push_back(d.system_headers ? "-MD" : "-MMD");
    append(words,
           {"-MF", d.file.empty() ? std::filesystem::path(object).replace_extension(".d").string()
                                  : d.file});
  } else if (!d.file.empty()) {
    append(words, {"-MF", d.file});
  }
  append(words, d.targets);
  if (d.phony) words.push_back("-MP");
  if (d.missing_too) words.push_back("-MG");
  return words;
}

// What is linked may have been compiled with -g.
frontend::debugger_tables tables(const options& o) {
  const bool from_sources =
      std::ranges::none_of(o.inputs, [](const input& i) { return i.is == language::linked; });
  return from_sources && !o.debugging && !o.check ? frontend::debugger_tables::left_out
                                                  : frontend::debugger_tables::kept;
}

std::string color_word(const options& o) {
  return std::string("-fdiagnostics-color=") + (o.messages.color ? "always" : "never");
}

}  // namespace

command c_command(const options& o, const installation& places, const std::string& translation,
                  const std::string& output) {
  command words = places.c_compiler;
  append(words, {"-x", "cpp-output", standard_for_c(o), o.optimisation});
  append(words, kOldWays);
  append(words, placement_of_loops(o));
  if (dialect_of(o.standard).gnu89_inline) words.push_back("-fgnu89-inline");
  append(words, warnings(o));
  append(words, o.words_for(kCompiler));
  append(words, placement_for_compiler(o, places));
  append(words, checks(o));
  append(words, {color_word(o), stage_word(o), translation, "-o", output});
  return words;
}

command foreign_command(const options& o, const installation& places, const input& source,
                        const std::string& output) {
  command words = places.c_compiler;
  if (!o.standard.empty()) words.push_back("-std=" + o.standard);
  words.push_back(o.optimisation);
  append(words, checks(o));
  if (!o.messages.warnings) words.push_back("-w");
  for (const auto& [word, to] : o.passed)
    if (to & (kPreprocessor | kCompiler)) words.push_back(word);
  append(words, placement_for_compiler(o, places));
  for (const std::string& folder : places.include_dirs) append(words, {"-isystem", folder});
  append(words, dependency_words(o, output.empty() ? source.name : output));
  append(words, {color_word(o), stage_word(o)});
  if (!o.macros.empty() && o.last == stage::preprocess) words.push_back(o.macros);
  if (!source.forced.empty()) append(words, {"-x", source.forced});
  words.push_back(source.name);
  if (!output.empty() && output != "-") append(words, {"-o", output});
  return words;
}

command objcopy_command(const installation& places, const std::vector<std::string>& options,
                        const std::string& object) {
  command ask = places.c_compiler;
  ask.push_back("-print-prog-name=objcopy");
  const std::string answer = run(ask, true).output;
  command words{answer.substr(0, answer.find('\n'))};
  append(words, options);
  words.push_back(object);
  return words;
}

command link_command(const options& o, const installation& places, const command& objects,
                     const std::string& output) {
  command words = places.c_compiler;
  words.push_back(o.optimisation);
  append(words, placement_for_linker(o, places));
  append(words, o.words_for(kLinker));
  append(words, {"-o", output});
  append(words, objects);
  if (o.shared || o.no_libraries) return words;
  append(words, frontend::library_words(places, {"libramjet_splitc.a", "libramjet.a"}, tables(o)));
  return words;
}

}  // namespace splitcc::driver
