// SPDX-License-Identifier: Apache-2.0
// `ramjet tam study`: what scheduling by frames or by messages costs, on a machine that counts.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include "base/cpus.hpp"
#include "papers/study/machine/costs.hpp"
#include "papers/study/report/output.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"
#include "tools/command/subcommand_program.hpp"

namespace {

constexpr const char* kCommand = "ramjet tam";
constexpr long long kRanksMost = 1024;

// NAME=WORD,WORD
bool read_arguments(const std::string& text, study::study_options& options) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return false;
  const std::string name = text.substr(0, equals);
  const auto& programs = study::study_programs();
  if (std::none_of(programs.begin(), programs.end(),
                   [&](const study::study_program& p) { return p.name == name; }))
    return false;
  std::vector<std::string> words;
  std::stringstream rest(text.substr(equals + 1));
  for (std::string word; std::getline(rest, word, ',');) {
    long long number = 0;
    if (!console::read_number(word, number) || number < 1) return false;
    words.push_back(word);
  }
  options.arguments.emplace_back(name, words);
  return true;
}

bool read_repeats(const std::string& text, study::study_options& options) {
  long long number = 0;
  if (!options.is_native || !console::read_number(text, number) || number < 1 || number > 1000)
    return false;
  options.native.repeats = int(number);
  return true;
}

// 1, 2, 4, ... up to the most, and that. No other than 1: none by the launcher.
bool read_ranks(const std::string& text, study::study_options& options) {
  long long most = ramjet::base::usable_cpus();
  if (!text.empty() &&
      (!options.is_native || !console::read_number(text, most) || most < 1 || most > kRanksMost))
    return false;
  if (most == 1) return true;
  for (unsigned ranks = 1; ranks < most; ranks *= 2) options.native.ranks.push_back(ranks);
  options.native.ranks.push_back(unsigned(most));
  return true;
}

int run_study(const study::study_options& options, bool as_json) {
  try {
    const study::study_result result = study::run_study(options);
    return tools::print(as_json ? study::json_of(result).dump(1) + "\n" : study::text_of(result));
  } catch (const study::program_error& wrong) {
    std::fprintf(stderr, "%s: %s\n", kCommand, wrong.what());
    return 1;
  }
}

}  // namespace

int tam_command(int argc, char** argv) {
  console::command_line line(
      kCommand,
      "Regenerates the study of TAM's two schedulers, AM and MD (Spertus and Dally 1995): six\n"
      "programs on a machine that counts, through caches of all sizes, beside the paper's numbers.",
      "usage: ramjet tam study [options]",
      "The programs: MMT, QS, DTW, paraffins, wavefront, SS. docs/tam-study.md says\n"
      "what is counted; ramjet report makes a page with plots of the JSON.");
  study::study_options options;
  bool as_json = false, costs = false, one_size = false;
  std::string repeats, ranks;
  std::vector<std::string> arguments, words;
  line.flag("--json", "print one JSON object: counts, misses, ratios, claims", as_json);
  line.flag("--quick", "small arguments: seconds, and other results than the paper's",
            options.is_quick);
  line.words("--size", "NAME=N", "a program's argument, as MMT=20; two: wavefront=40,4", arguments);
  line.word("--programs", "FOLDER", "mmt.tl0 and the others from there, as idc -S makes them",
            options.programs);
  line.flag("--one-block-size", "caches with blocks of 64 bytes alone, not of 8 to 64", one_size);
  line.flag("--fifo", "AM: frames run in the order in which they became ready",
            options.first_ready_first);
  line.flag("--native", "run the programs on this processor, too, larger, by each scheduler",
            options.is_native);
  line.word("--repeats", "N", "native runs of each program by each scheduler (default: 5)",
            repeats);
  line.word("--ranks", "N",
            "native runs on 1, 2, 4, ... up to N ranks (default: the processors); 1: on one alone",
            ranks);
  line.flag("--costs", "print what each mechanism costs, instruction by instruction, and end",
            costs);
  line.positional("study", "the word study", words);
  if (const auto status = tools::read(kCommand, line, argc, argv)) return *status;
  if (costs) return tools::print(study::costs_text());
  if (words != std::vector<std::string>{"study"})
    return tools::refuse(kCommand, words.empty()
                                       ? "say what: study"
                                       : "unexpected argument '" +
                                             (words[0] == "study" ? words[1] : words[0]) + "'");
  for (const std::string& each : arguments)
    if (!read_arguments(each, options))
      return tools::refuse(
          kCommand, "--size " + each + ": give NAME=N, of a program of the study, N from 1 on");
  if (!repeats.empty() && !read_repeats(repeats, options))
    return tools::refuse(
        kCommand, "--repeats " + repeats + ": give a number from 1 to 1000, " + "with --native");
  if (!read_ranks(ranks, options))
    return tools::refuse(kCommand,
                         "--ranks " + ranks + ": give a number from 1 to 1024, with --native");
  options.native.launcher = tools::command_path();
  options.idc = tools::command_path().parent_path() / "idc";
  options.has_all_blocks = !one_size;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  if (isatty(STDERR_FILENO) != 0)
    options.progress = [](std::string_view said) {
      std::fprintf(stderr, "%.*s\n", int(said.size()), said.data());
    };
  return run_study(options, as_json);
}
