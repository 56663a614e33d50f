// SPDX-License-Identifier: Apache-2.0
// The Split-C compiler: whatever text the preprocessor hands it. Lexing, parsing with the meaning
// of names and types, the warnings of traps, the passes, the output: no crash, no hang, and an
// error is counted whenever something is refused.
//
// The input is preprocessed text; splitcc_corpus.py makes such of the test programs, and
// splitcc_mutator.cpp changes it token by token.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "languages/splitc/compiler/emit/emitter.hpp"
#include "languages/splitc/compiler/optimise/optimise.hpp"
#include "languages/splitc/compiler/parse/parser.hpp"
#include "languages/splitc/compiler/semantics/traps.hpp"

namespace {

// Line marks name files that messages quote: no file of this machine is read.
std::string without_file_names(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.starts_with("# ")) line = line.substr(0, line.find('"'));
    out.append(line);
    out += '\n';
  }
  return out;
}

void compile(std::string_view text) {
  splitcc::diagnostic_options options;
  options.errors_max = 10;
  splitcc::diagnostics report(options);
  splitcc::identifier_table identifiers;
  const splitcc::token_list tokens = splitcc::lex(text, "input.sc", identifiers, report);
  report.look_in(tokens);
  frontend::arena memory;
  splitcc::unit_context context(memory, tokens, report, {});
  splitcc::semantics meaning(context);
  splitcc::node* unit = splitcc::parse(tokens, meaning, report, identifiers, {});
  if (report.errors() != 0) return;
  splitcc::warn_of_traps(*unit, tokens, report);
  splitcc::optimise(*unit, meaning.types(), tokens, report, {});
  splitcc::emit(*unit, tokens, meaning.types(), {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  // Messages are made, and nobody reads them. (glibc: stderr is a variable.)
  static std::FILE* const nowhere = stderr = std::fopen("/dev/null", "w");
  if (!nowhere) std::abort();
  const std::string text = without_file_names({reinterpret_cast<const char*>(data), bytes});
  try {
    compile(text);
  } catch (const frontend::too_many_errors&) {
  }
  return 0;
}
