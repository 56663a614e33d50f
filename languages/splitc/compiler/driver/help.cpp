// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "languages/splitc/compiler/driver/option_table.hpp"

namespace splitcc::driver {
namespace {

constexpr std::size_t kColumn = 24;

constexpr std::string_view kHead =
    "Usage: splitcc [options] file...\n"
    "Compiles Split-C (.sc), and links it with Ramjet. The program runs under `ramjet run`.\n"
    "Other sources go to the C compiler, objects and archives to the linker.\n\nOptions:\n";

constexpr std::string_view kFeatures =
    "  -fsyntax-only           look for errors, write nothing\n"
    "  -fmax-errors=N          stop after N errors; 0: never; 20 unless said otherwise\n"
    "  -fdiagnostics-color[=WHEN]\n"
    "                          colors: always, never, auto (on a terminal)\n"
    "  -fopt-report            say what was optimised, and where\n"
    "  -fno-PASS               leave out one pass: own-loops, hoist-own-test, reduce-addresses,\n"
    "                          pipeline-reads, coalesce, drop-barriers, move-sync,\n"
    "                          try-own, poll-loops\n"
    "  -fcheck                 check each access as the program runs: bounds, freed memory,\n"
    "                          races, gets before sync(), unequal collectives, memory never freed\n"
    "  -f..., -m...            others: for the C compiler\n"
    "  @FILE                   the words in FILE stand for it\n\n"
    "Environment: RAMJET_CC names the C compiler, TMPDIR the folder of temporary files.\n"
    "Status: 0, or 1 if there were errors, or 2 if the command line is wrong.\n";

std::string line_of(const known_option& known) {
  std::string line = "  " + std::string(known.name);
  if (!known.value_name.empty()) {
    if (known.form != value_form::joined) line += ' ';
    line += known.value_name;
  }
  if (line.size() + 2 > kColumn + 2) {
    line += '\n' + std::string(kColumn + 2, ' ');
  } else {
    line += std::string(kColumn + 2 - line.size(), ' ');
  }
  for (char c : known.help) {
    line += c;
    if (c == '\n') line += std::string(kColumn + 2, ' ');
  }
  return line + "\n";
}

}  // namespace

std::string help_text() {
  std::string text(kHead);
  for (const known_option& known : known_options())
    if (!known.help.empty()) text += line_of(known);
  return text + std::string(kFeatures);
}

}  // namespace splitcc::driver
