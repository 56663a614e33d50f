// SPDX-License-Identifier: Apache-2.0
#include "languages/splitc/compiler/driver/preprocess.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "languages/splitc/compiler/driver/dialect.hpp"
#include "languages/splitc/compiler/driver/raw_strings.hpp"
#include "languages/splitc/compiler/driver/stand_ins.hpp"
#include "languages/support/files.hpp"

namespace splitcc::driver {
namespace {

// Each pass over a file joins at least one string more.
constexpr int kJoinRoundsMax = 64;

void append(command& to, std::vector<std::string> words) {
  to.insert(to.end(), std::make_move_iterator(words.begin()), std::make_move_iterator(words.end()));
}

void add_dependency_words(const preprocessing& p, command& words) {
  const options& o = p.asked;
  const dependency_options& d = o.dependencies;
  if (!d.wanted) return;
  if (o.last == stage::dependencies) {
    words.push_back(d.system_headers ? "-M" : "-MM");
    if (!d.file.empty()) append(words, {"-MF", d.file});
  } else {
    const std::string file =
        d.file.empty() ? std::filesystem::path(p.object).replace_extension(".d").string() : d.file;
    append(words, {d.system_headers ? "-MD" : "-MMD", "-MF", file});
  }
  if (d.targets.empty()) append(words, {"-MQ", p.object});
  append(words, d.targets);
  if (d.phony) words.push_back("-MP");
  if (d.missing_too) words.push_back("-MG");
}

// The names of temporary files in the rule become those of the sources that they stand for.
void rename_in_dependencies(const preprocessing& p, const stand_ins& instead) {
  if (!p.asked.dependencies.wanted) return;
  const command words = preprocessor_command(p, p.source, kind_of_run::as_asked);
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] != "-MF" || words[i + 1] == "-") continue;
    std::string rule = frontend::read_file(words[i + 1]);
    instead.rename_in(rule);
    frontend::write_file(words[i + 1], rule);
  }
}

std::string name_in_marks(const std::string& source) { return source == "-" ? "<stdin>" : source; }

// The command for the source, or for what stands in for it.
command command_for(const preprocessing& p, const stand_ins& instead, kind_of_run kind) {
  if (instead.empty()) return preprocessor_command(p, p.source, kind);
  command words = preprocessor_command(p, instead.of_main(), kind);
  command folders;
  for (const std::string& folder : instead.folders()) append(folders, {"-iquote", folder});
  words.insert(words.begin() + static_cast<std::ptrdiff_t>(p.places.c_compiler.size()),
               folders.begin(), folders.end());
  return words;
}

run_result run_and_say(const preprocessing& p, const command& words, const std::string* input) {
  if (p.asked.verbose) std::fputs((in_shell_words(words) + "\n").c_str(), stderr);
  return run(words, true, input);
}

void warn_of(const preprocessing& p, const std::string& file, const std::vector<position>& joined) {
  for (const position& at : joined) {
    place where;
    where.file = file;
    where.line = at.line;
    where.column = at.column;
    p.report.warning(where, "raw-newline", "the string goes on over the end of the line");
  }
}

// Strings of several lines become strings of C, in the source and in the headers where the
// preprocessor has seen some. Whether there was anything to change.
bool join_strings(const preprocessing& p, const run_result& seen, stand_ins& instead) {
  bool changed = false;
  for (const auto& [file, quotes] : sort_complaints(seen.errors, true).quotes) {
    std::vector<position> joined;
    std::string text =
        join_raw_strings(instead.text_of(file), quotes, lines_in_output(seen.output, file), joined);
    if (joined.empty()) continue;
    warn_of(p, file, joined);
    instead.replace(file, std::move(text));
    changed = true;
  }
  return instead.lead_to_them(inclusions(seen.output)) || changed;
}

// There were missing quotes. Nothing if no string on lines that count is concerned: the text is
// right as it is.
std::optional<run_result> preprocess_joined(const preprocessing& p, std::string text) {
  stand_ins instead(p.temporaries, name_in_marks(p.source), text);
  for (int round = 0; round < kJoinRoundsMax; ++round) {
    const command look = command_for(p, instead, kind_of_run::look);
    const bool from_input = instead.empty() && p.source == "-";
    const run_result seen = run_and_say(p, look, from_input ? &text : nullptr);
    if (join_strings(p, seen, instead)) {
      instead.write();
      continue;
    }
    if (instead.empty()) return std::nullopt;
    run_result result = run_and_say(p, command_for(p, instead, kind_of_run::as_asked), nullptr);
    instead.rename_in(result.output);
    rename_in_dependencies(p, instead);
    return result;
  }
  throw failure(p.source + ": too many strings that go on over ends of lines");
}

}  // namespace

command preprocessor_command(const preprocessing& p, const std::string& source, kind_of_run kind) {
  const options& o = p.asked;
  const bool look = kind == kind_of_run::look;
  command words = p.places.c_compiler;
  if (look || o.last != stage::dependencies) words.push_back("-E");
  append(words, {"-x", "c", standard_for_preprocessor(o), o.optimisation, "-D__SPLITC__=1"});
  if (o.check) words.push_back("-D__SPLITC_CHECK__=1");
  if (dialect_of(o.standard).gnu89_inline) words.push_back("-fgnu89-inline");
  if (!o.line_marks && o.last == stage::preprocess) words.push_back("-P");
  if (!look && !o.macros.empty() && o.last == stage::preprocess) words.push_back(o.macros);
  append(words, o.words_for(kPreprocessor));
  append(words, {"-include", o.check ? "ramjet/splitc_checked.h" : "ramjet/splitc_compiled.h"});
  for (const std::string& folder : p.places.include_dirs) append(words, {"-isystem", folder});
  if (look) append(words, {"-dD", "-fdiagnostics-column-unit=byte"});
  if (!look) add_dependency_words(p, words);
  if (o.messages.color && !look) words.push_back("-fdiagnostics-color=always");
  words.push_back(source);
  return words;
}

std::optional<std::string> preprocess(const preprocessing& p) {
  std::string text;
  const bool from_input = p.source == "-";
  if (from_input) {
    text = frontend::read_standard_input();
  } else {
    frontend::check_readable(p.source);
  }
  run_result result = run_and_say(p, preprocessor_command(p, p.source, kind_of_run::as_asked),
                                  from_input ? &text : nullptr);
  const auto sorted = [&] { return sort_complaints(result.errors, p.asked.messages.warnings); };
  complaints said = sorted();
  // With -M the preprocessor warns of nothing.
  if (!said.quotes.empty() || p.asked.last == stage::dependencies) {
    if (!from_input) text = frontend::read_file(p.source);
    if (auto joined = preprocess_joined(p, std::move(text))) {
      result = std::move(*joined);
      said = sorted();
    }
  }
  std::fputs(said.other.c_str(), stderr);
  if (result.status != 0) return std::nullopt;
  return std::move(result.output);
}

}  // namespace splitcc::driver
