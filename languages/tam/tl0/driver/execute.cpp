// SPDX-License-Identifier: Apache-2.0
#include "languages/tam/tl0/driver/execute.hpp"

#include <cstdio>

#include "languages/tam/tl0/run/arguments.hpp"
#include "languages/tam/tl0/run/machine.hpp"
#include "languages/tam/tl0/verify/verify.hpp"

namespace tl0::driver {
namespace {

void write_line(void*, std::string_view line) { std::fwrite(line.data(), 1, line.size(), stdout); }

void say_counts(const counts& c) {
  const auto number = [](std::uint64_t n) { return static_cast<unsigned long long>(n); };
  std::fprintf(stderr,
               "instructions %llu, threads %llu, quanta %llu, messages %llu, activations %llu (at "
               "most %llu at a time)\n",
               number(c.instructions), number(c.threads), number(c.quanta), number(c.messages),
               number(c.activations), number(c.frames_max));
}

}  // namespace

int execute(const program& p, const options& o, frontend::messages& report) {
  const std::vector<word> words = argument_words(p, o.arguments);
  machine m(p, write_line, nullptr);
  int status = 0;
  try {
    m.run(words);
  } catch (const execution_error& wrong) {
    std::fflush(stdout);
    report.error(place_of(p, wrong.at(), report), wrong.what());
    status = 1;
  }
  if (std::fflush(stdout) != 0) {
    std::fputs("tl0: error: the standard output cannot be written\n", stderr);
    status = 1;
  }
  if (o.with_counts) say_counts(m.counted());
  return status;
}

}  // namespace tl0::driver
