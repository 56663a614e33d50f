// SPDX-License-Identifier: Apache-2.0
// splitcc: compiles Split-C. Exit status: 0; 1 where there were errors; 2 for a wrong command line.
#include <cstdio>
#include <exception>

#include "languages/splitc/compiler/driver/build.hpp"

#ifndef SPLITCC_VERSION
#define SPLITCC_VERSION "unknown"
#endif

namespace splitcc::driver {
namespace {

constexpr int kErrors = 1;
constexpr int kWrongCommandLine = 2;

int say(const std::string& text) {
  return std::fputs(text.c_str(), stdout) < 0 || std::fflush(stdout) != 0 ? kErrors : 0;
}

std::string version_text(const installation& places) {
  return "splitcc (Ramjet) " SPLITCC_VERSION "\nC compiler: " + in_shell_words(places.c_compiler) +
         "\n";
}

// What the C compiler says of itself.
int answer(const options& asked, const installation& places) {
  command words = places.c_compiler;
  for (const std::string& word : asked.words_for(kCompiler)) words.push_back(word);
  return run(words).status;
}

int start(std::vector<std::string> words) {
  const options asked = read_command_line(std::move(words));
  const installation places = find_installation();
  if (asked.what == action::help) return say(help_text());
  if (asked.what == action::version) return say(version_text(places));
  if (asked.what == action::ask) return answer(asked, places);
  if (asked.verbose) std::fputs(version_text(places).c_str(), stderr);
  if (asked.inputs.empty()) return 0;
  return build(asked, places).run();
}

}  // namespace
}  // namespace splitcc::driver

int main(int argc, char** argv) {
  using namespace splitcc::driver;
  try {
    return start({argv + 1, argv + argc});
  } catch (const usage_error& wrong) {
    std::fprintf(stderr, "splitcc: error: %s (see splitcc --help)\n", wrong.what());
    return kWrongCommandLine;
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "splitcc: error: %s\n", wrong.what());
    return kErrors;
  }
}
