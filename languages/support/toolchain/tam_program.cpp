// SPDX-License-Identifier: Apache-2.0
#include "languages/support/toolchain/tam_program.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>

#include "languages/support/files.hpp"
#include "languages/support/toolchain/installation.hpp"
#include "languages/support/toolchain/processes.hpp"

namespace frontend {
namespace {

constexpr std::string_view kScheduler = "--scheduler=";
constexpr std::string_view kSchedulers[] = {"am", "unenabled", "md", "hybrid"};
constexpr std::string_view kPassedOn[] = {"-g", "-D"};
constexpr const char* kArchive = "libramjet.a";
// A product is rounded before it is added to, as by `--run`, also where one instruction does both.
constexpr const char* kPlainFloats = "-ffp-contract=off";

std::string macro_of(const std::string& scheduler) {
  std::string macro = "-DTAM_SCHEDULER=TAM_";
  for (char c : scheduler) macro += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return macro;
}

command command_for(const installation& places, const std::string& source,
                    const tam_program_options& o, const std::string& output) {
  command words = places.c_compiler;
  const auto append = [&](const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
  };
  append({o.optimisation, kPlainFloats, macro_of(o.scheduler)});
  append(o.compiler_words);
  for (const std::string& folder : places.include_dirs) append({"-isystem", folder});
  bool debugging = false;
  for (const std::string& word : o.compiler_words)  // the last one holds, as for the compiler
    if (word.starts_with("-g")) debugging = word != "-g0";
  append({source, "-o", output});
  append(library_words(places, {kArchive},
                       debugging ? debugger_tables::kept : debugger_tables::left_out));
  return words;
}

}  // namespace

const std::string_view kTamProgramHelp =
    R"(  --scheduler=NAME        of the program: am (the default), unenabled, md, hybrid
  -O2, -g, -DNAME, ...    for the C compiler, which RAMJET_CC names
  -v                      say the command of the C compiler
)";

bool read_option(const std::string& word, tam_program_options& to) {
  if (word.starts_with(kScheduler)) {
    to.scheduler = word.substr(kScheduler.size());
    if (std::ranges::find(kSchedulers, to.scheduler) == std::end(kSchedulers))
      throw usage_error("there is no scheduler '" + to.scheduler +
                        "': it is am, unenabled, md or hybrid");
  } else if (word.starts_with("-O")) {
    to.optimisation = word;
  } else if (word == "-v") {
    to.verbose = true;
  } else if (std::ranges::any_of(kPassedOn, [&](auto start) { return word.starts_with(start); })) {
    to.compiler_words.push_back(word);
  } else {
    return false;
  }
  to.given = word;
  return true;
}

const std::vector<std::string_view>& tam_program_option_names() {
  static const std::vector<std::string_view> names{kScheduler, "-O2", "-g", "-D", "-v"};
  return names;
}

bool make_tam_program(const char* tool, std::string_view unit, const std::string& source,
                      const tam_program_options& options, const std::string& output) {
  temporary_files temporaries(tool);
  return make_tam_program(tool, unit, source, options, output, temporaries);
}

bool make_tam_program(const char* tool, std::string_view unit, const std::string& source,
                      const tam_program_options& options, const std::string& output,
                      temporary_files& temporaries) {
  const installation places = find_installation();
  check_library(places, kArchive);
  check_writable(output);
  const std::string stem = source == "-" ? "stdin" : std::filesystem::path(source).stem().string();
  const std::string translation = temporaries.name(stem, ".c");
  write_file(translation, unit);
  const command words = command_for(places, translation, options, output);
  if (options.verbose) std::fputs((in_shell_words(words) + "\n").c_str(), stderr);
  if (run(words).status == 0) return true;
  std::fprintf(stderr, "%s: note: the C compiler refused what %s was translated to; -S keeps it\n",
               tool, stem.c_str());
  return false;
}

}  // namespace frontend
