// SPDX-License-Identifier: Apache-2.0
// tl0: checks, executes, prints and draws programs of code blocks. Exit status: 0; 1 where there
// were errors; 2 for a wrong command line.
#include <cstdio>
#include <exception>

#include "languages/support/files.hpp"
#include "languages/tam/tl0/driver/drawing.hpp"
#include "languages/tam/tl0/driver/execute.hpp"
#include "languages/tam/tl0/driver/options.hpp"
#include "languages/tam/tl0/emit/emit.hpp"
#include "languages/tam/tl0/parse/parser.hpp"
#include "languages/tam/tl0/print/print.hpp"
#include "languages/tam/tl0/verify/verify.hpp"

#ifndef TL0_VERSION
#define TL0_VERSION "unknown"
#endif

namespace tl0::driver {
namespace {

constexpr int kErrors = 1;
constexpr int kWrongCommandLine = 2;

void write(const options& o, const std::string& text) {
  frontend::write_file(o.output.empty() ? "-" : o.output, text);
}

int act(const program& p, const options& o, frontend::messages& report) {
  switch (o.what) {
    case action::run:
      return execute(p, o, report);
    case action::translate:
      return write(o, emit(p)), 0;
    case action::compile:
      return frontend::make_tam_program("tl0", emit(p), o.input, o.program, o.output) ? 0 : kErrors;
    case action::print:
      return write(o, print(p)), 0;
    case action::dot:
      return write(o, dot(p)), 0;
    case action::svg:
      return write(o, drawing(dot(p))), 0;
    default:
      return 0;
  }
}

int start(const std::vector<std::string>& words) {
  const options o = read_command_line(words);
  if (o.what == action::help) return std::fputs(help_text().c_str(), stdout) < 0;
  if (o.what == action::version) return std::puts("tl0 (Ramjet) " TL0_VERSION) < 0;
  frontend::check_source_stays(o.input, o.output);
  const bool is_standard = o.input == "-";
  const std::string text =
      is_standard ? frontend::read_standard_input() : frontend::read_file(o.input);
  const std::string file = is_standard ? "<stdin>" : o.input;
  frontend::messages report(o.messages);
  report.lines().add(file, text);
  try {
    const token_list tokens = lex(text, file, report);
    const std::optional<program> made = assemble(tokens, report);
    if (!made || report.errors() != 0) return kErrors;
    if (!verify(*made, report)) return kErrors;
    return act(*made, o, report);
  } catch (const frontend::too_many_errors&) {
    return kErrors;
  }
}

}  // namespace
}  // namespace tl0::driver

int main(int argc, char** argv) {
  using namespace tl0::driver;
  try {
    return start({argv + 1, argv + argc});
  } catch (const usage_error& wrong) {
    std::fprintf(stderr, "tl0: error: %s (see tl0 --help)\n", wrong.what());
    return kWrongCommandLine;
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "tl0: error: %s\n", wrong.what());
    return kErrors;
  }
}
