// SPDX-License-Identifier: Apache-2.0
// idc: checks and runs programs in Id. Exit status: 0; 1 where the program has or makes errors; 2
// for a wrong command line.
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <new>

#include "languages/id/driver/command_line.hpp"
#include "languages/id/driver/compile.hpp"
#include "languages/id/driver/run.hpp"
#include "languages/id/tree/print.hpp"
#include "languages/support/files.hpp"

#ifndef IDC_VERSION
#define IDC_VERSION "unknown"
#endif

namespace idc::driver {
namespace {

constexpr int kErrors = 1;
constexpr int kWrongCommandLine = 2;

int say(const std::string& text) {
  frontend::write_file("-", text);
  return 0;
}

int start(const std::vector<std::string>& words) {
  const options asked = read_command_line(words);
  if (asked.what == action::help) return say(help_text());
  if (asked.what == action::version) return say("idc (Ramjet) " IDC_VERSION "\n");
  frontend::message_options how;
  how.color = isatty(STDERR_FILENO) != 0;
  how.errors_max = asked.errors_max;
  frontend::check_source_stays(asked.file, asked.output);
  const bool is_input = asked.file == "-";
  std::string text = is_input ? frontend::read_standard_input() : frontend::read_file(asked.file);
  front_end program(is_input ? "<stdin>" : asked.file, std::move(text), how);
  if (!program.check()) return kErrors;
  if (asked.what == action::check) return 0;
  if (asked.what == action::print) return say(print(program.tree()));
  if (asked.what == action::types) return say(types_of(program.tree()));
  if (asked.what != action::core && !check_parameters(program)) return kErrors;
  if (!program.lower()) return kErrors;
  if (asked.what == action::core) return say(core::print(program.core()));
  if (asked.what != action::run) return compile(program, asked) ? 0 : kErrors;
  return run(program, asked.arguments) ? 0 : kErrors;
}

}  // namespace
}  // namespace idc::driver

int main(int argc, char** argv) {
  using namespace idc::driver;
  try {
    return start({argv + 1, argv + argc});
  } catch (const usage_error& wrong) {
    std::fprintf(stderr, "idc: error: %s (see idc --help)\n", wrong.what());
    return kWrongCommandLine;
  } catch (const frontend::too_many_errors&) {
    return kErrors;
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "idc: error: there is no more memory\n");
    return kErrors;
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "idc: error: %s\n", wrong.what());
    return kErrors;
  }
}
