// SPDX-License-Identifier: Apache-2.0
// `ramjet papers`: the tables and figures of five papers beside what is measured here. Without
// files it measures what it needs, by commands of its own executable and the apps beside it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/cpus.hpp"
#include "harness/process.hpp"
#include "harness/report.hpp"
#include "tools/cli/inputs.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"
#include "tools/command/subcommand_program.hpp"
#include "tools/pages/papers.hpp"

namespace {

namespace fs = std::filesystem;

constexpr const char* kPapers = "ramjet papers";
constexpr unsigned kAgendaRanksMost = 16;
constexpr const char* kPapersFooter = R"(
Without FILE it measures: ramjet characterize, the benchmarks that stand beside the papers' numbers,
ramjet tam study, and the apps em3d, matmul and agenda_matmul, where they are beside the command.
That takes some minutes, with --quick some seconds. What is not measured is said. FILE has what
these or scripts/splitc-table print with --json.

  ramjet papers --quick -o papers.html
  ramjet characterize --json > machine.json && ramjet papers machine.json)";

struct papers_request {
  bool quick = false;
  std::vector<std::string> names;
};

struct measurement {
  std::string name;
  std::vector<std::string> words;
};

std::vector<measurement> measurements(const papers_request& wish) {
  const fs::path self = tools::command_path();
  const auto command = [&](std::vector<std::string> words) {
    words.insert(words.begin(), self.string());
    words.emplace_back("--json");
    if (wish.quick) words.emplace_back("--quick");
    return words;
  };
  std::vector<std::string> bench = pages::benchmarks_of_papers();
  bench.insert(bench.begin(), "bench");
  std::vector<measurement> all = {
      {"ramjet characterize", command({"characterize", "memory", "near", "far"})},
      {"ramjet bench", command(std::move(bench))},
      {"ramjet tam study", command({"tam", "study"})}};
  const auto app = [&](const std::string& name, unsigned ranks, std::vector<std::string> words,
                       const std::vector<std::string>& quick_words) {
    const fs::path program = self.parent_path() / name;
    if (!fs::exists(program)) return;
    words.insert(words.begin(),
                 {self.string(), "run", "-n", std::to_string(ranks), program.string(), "--json"});
    if (wish.quick) words.insert(words.end(), quick_words.begin(), quick_words.end());
    all.push_back({name, std::move(words)});
  };
  app("em3d", 2, {"--remote", "0,10,20,30,40,50,75,100"},
      {"--nodes", "100", "--iterations", "5", "--repeats", "1"});
  app("matmul", 2, {}, {"--repeats", "3"});
  const unsigned most = std::clamp(ramjet::base::usable_cpus(), 2u, kAgendaRanksMost);
  std::string ranks = "1";
  for (unsigned n = 2; n <= most; n *= 2) ranks += fmt::format(",{}", n);
  app("agenda_matmul", std::bit_floor(most), {"--sweep", "--ranks", ranks},
      {"--size", "64", "--repeats", "1"});
  return all;
}

// Throws std::runtime_error or bench::interrupted; what gave no result is told on standard error.
std::vector<pages::input> measured(const papers_request& wish) {
  std::vector<pages::input> files;
  for (const measurement& m : measurements(wish)) {
    bench::show_progress(m.name);
    try {
      files.push_back(pages::input_of(m.name, bench::report_of(m.words, m.name).dump()));
    } catch (const std::runtime_error& wrong) {
      bench::show_progress("");
      fmt::print(stderr, "{}: {} is left out: {}\n", kPapers, m.name, wrong.what());
    }
  }
  bench::show_progress("");
  return files;
}

// Names the file where a value in it is of another kind than it should be.
pages::document document_of(const std::vector<pages::input>& files, const std::string& how) {
  try {
    return pages::papers_document(files, how);
  } catch (const console::json::wrong_kind&) {
    for (const pages::input& file : files)
      pages::guarded(file, [&] { return pages::papers_document({file}, how); });
    throw;
  }
}

// Before it measures.
std::string about(const papers_request& wish) {
  if (!wish.names.empty()) return "Measured by what the files say.";
  double load = 0;
  const unsigned cores = ramjet::base::usable_cpus();
  if (::getloadavg(&load, 1) == 1 && load > 0.5 * cores)
    return fmt::format(
        "Measured while the machine was busy (load {:.1f} on {} cores): the figures "
        "say little.",
        load, cores);
  return wish.quick ? "Measured with --quick: the figures say little." : "Measured just now.";
}

}  // namespace

int papers_command(int argc, char** argv) {
  console::command_line line(
      kPapers, "Shows the tables and figures of five papers beside what is measured here.",
      "usage: ramjet papers [options] [FILE...]", kPapersFooter);
  papers_request wish;
  std::string output;
  bool as_json = false;
  line.positional("FILE", "results, in place of measuring; - is standard input", wish.names);
  line.flag("--quick", "measure with few samples", wish.quick);
  line.word("-o,--output", "PAGE", "write a page of HTML; without this tables are printed", output);
  line.flag("--json", "print one JSON object", as_json);
  if (const auto status = tools::read(kPapers, line, argc, argv)) return *status;
  if (as_json && !output.empty())
    return tools::refuse(kPapers, "--json prints, and -o writes a page: give one of them");
  if (const auto same = console::input_that_is(output, wish.names))
    return tools::refuse(kPapers, "-o " + output + " is the file " + *same +
                                      ", which is read: write the page to another one");
  if (wish.quick && !wish.names.empty())
    return tools::refuse(kPapers, "--quick measures, and FILE is measured: give one of them");
  if (!output.empty() && !tools::can_write(kPapers, output)) return 1;
  try {
    std::vector<pages::input> files;
    for (const std::string& name : wish.names) files.push_back(pages::read_input(name));
    const std::string how = about(wish);
    if (files.empty()) files = measured(wish);
    return tools::write_document(kPapers, document_of(files, how), as_json, output);
  } catch (const bench::interrupted& i) {
    return 128 + i.signal;
  } catch (const std::exception& wrong) {
    return tools::fail(kPapers, wrong.what());
  }
}
