// SPDX-License-Identifier: Apache-2.0
// What was asked for on the command line. Options are those of gcc's driver; what is not ours goes
// on to the preprocessor, the C compiler and the linker, each its own.
#ifndef SPLITCC_DRIVER_COMMAND_LINE_HPP
#define SPLITCC_DRIVER_COMMAND_LINE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "languages/splitc/compiler/lex/diagnostics.hpp"
#include "languages/splitc/compiler/optimise/optimise.hpp"
#include "languages/support/failure.hpp"

namespace splitcc::driver {

using frontend::failure;
using frontend::usage_error;

// Where the work ends.
enum class stage : std::uint8_t {
  dependencies,  // -M, -MM
  preprocess,    // -E
  syntax,        // -fsyntax-only
  translate,     // -emit-c
  assembly,      // -S
  object,        // -c
  link,
};

enum class action : std::uint8_t { work, help, version, ask /* the C compiler */ };

enum class language : std::uint8_t {
  splitc,
  splitc_preprocessed,
  foreign,  // a source of the C compiler's, by its name or by -x
  linked,   // an object, an archive, an option of the linker: goes to it in its place
};

struct input {
  std::string name;
  language is = language::linked;
  std::string forced;  // foreign: what -x said; else empty
};

// The programs that get an option that is not ours.
enum receiver : std::uint8_t { kPreprocessor = 1, kCompiler = 2, kLinker = 4 };
inline constexpr std::uint8_t kAll = kPreprocessor | kCompiler | kLinker;

struct passed_word {
  std::string word;
  std::uint8_t to;  // receivers
};

// -MD and its kin; `file` and `targets` are empty where they follow from the output's name.
struct dependency_options {
  bool wanted = false;         // -MD, -MMD
  bool system_headers = true;  // -M, -MD; false: -MM, -MMD
  bool phony = false;          // -MP
  bool missing_too = false;    // -MG: headers that are yet to be made
  std::string file;
  std::vector<std::string> targets;  // -MT X, -MQ X: two words each
};

struct options {
  action what = action::work;
  stage last = stage::link;
  std::vector<input> inputs;
  std::string forced;  // -x, for the inputs that follow; empty: by their names
  std::string output;
  std::vector<passed_word> passed;
  std::vector<std::string> front_end;  // what concerns the translation, as it was typed: for -show
  dependency_options dependencies;
  diagnostic_options messages;
  optimise_options passes;
  std::string standard;  // of -std=; empty: gnu89's ways in gnu17
  std::string optimisation = "-O2";
  bool optimisation_given = false;
  bool line_marks = true;  // -P: none
  std::string macros;  // -dM, -dD: what the preprocessor shows of them under -E
  bool show = false;  // -show, -###: print the commands, run none
  bool verbose = false;  // -v
  bool save_temporaries = false;  // -save-temps
  bool save_beside_output = false;  // -save-temps=obj
  bool shared = false;
  bool position_independent = false;  // -fPIC, -fpie, -pie, -shared
  bool unsigned_char = false;
  bool pedantic = false;
  bool no_libraries = false;  // -nostdlib, -nodefaultlibs
  bool check = false;  // -fcheck
  bool debugging = false;  // -g
  bool c_warnings = false;  // -Wall, -Wextra, a warning of the C compiler's: it may warn

  // The passed words of a receiver, in their order.
  std::vector<std::string> words_for(receiver r) const;
};

// `words`: without the program's name; @files are taken in. Throws usage_error, failure.
options read_command_line(std::vector<std::string> words);

// `@file` as gcc reads it: words between blanks, quotes and backslashes protect.
std::vector<std::string> with_response_files(std::vector<std::string> words);

std::string help_text();

}  // namespace splitcc::driver

#endif
