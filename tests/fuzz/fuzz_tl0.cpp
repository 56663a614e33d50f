// SPDX-License-Identifier: Apache-2.0
// The notation of code blocks: whatever text a file holds. Assembling, verifying, printing, C: no
// crash, no hang; what is printed is assembled to the same program.
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>

#include "languages/tam/tl0/emit/emit.hpp"
#include "languages/tam/tl0/parse/parser.hpp"
#include "languages/tam/tl0/print/print.hpp"
#include "languages/tam/tl0/verify/verify.hpp"

namespace {

std::optional<tl0::program> assembled(const std::string& text, frontend::messages& report) {
  report.lines().add("input.tl0", text);
  return tl0::assemble(tl0::lex(text, "input.tl0", report), report);
}

// Lines of other files are looked up for messages: no file of this machine is read.
bool names_files(const std::string& text) { return text.find("#line") != std::string::npos; }

void check(const std::string& text) {
  frontend::message_options options;
  options.errors_max = 10;
  frontend::messages report(options);
  const std::optional<tl0::program> first = assembled(text, report);
  if (!first) return;
  const std::string printed = tl0::print(*first);
  frontend::messages again(options);
  const std::optional<tl0::program> second = assembled(printed, again);
  if (!second || !tl0::equal(*first, *second)) {
    std::printf("%s\n", printed.c_str());
    std::fflush(stdout);
    std::abort();
  }
  if (tl0::verify(*first, report)) tl0::emit(*first);
  tl0::dot(*first);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t bytes) {
  // Messages are made, and nobody reads them. (glibc: stderr is a variable.)
  static std::FILE* const nowhere = stderr = std::fopen("/dev/null", "w");
  if (!nowhere) std::abort();
  const std::string text(reinterpret_cast<const char*>(data), bytes);
  if (names_files(text)) return 0;
  try {
    check(text);
  } catch (const frontend::too_many_errors&) {
  }
  return 0;
}
