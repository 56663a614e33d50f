// SPDX-License-Identifier: Apache-2.0
// `ramjet report`: one page of what the other commands and the apps have printed with --json, and
// of traces.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "tools/cli/inputs.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"
#include "tools/pages/content.hpp"
#include "tools/pages/input.hpp"
#include "tools/trace/file.hpp"
#include "tools/trace/report.hpp"

namespace {

constexpr const char* kReport = "ramjet report";
constexpr const char* kReportFooter = R"(
FILE has what ramjet characterize, ramjet bench, ramjet tam study or an app prints with --json, of
an app several runs if they are a line each, or what ramjet run --trace has written; - is standard
input, of all but traces, whose files have to be named. Two runs of benchmarks are compared, the
second one with the first. The page needs nothing else, no network either.

  ramjet run -n 4 --trace solve.trace ./solve && ramjet report solve.trace -o solve.html
  ramjet characterize --json > machine.json && ramjet report machine.json -o machine.html
  ramjet report before.json after.json -o compared.html
  for n in 1 2 4; do ramjet run -n $n gups --json; done | ramjet report - -o gups.html)";

// Traces come after what else there is.
pages::document document_of(std::vector<std::string> names) {
  const auto first_trace = std::stable_partition(
      names.begin(), names.end(), [](const std::string& name) { return !traces::is_trace(name); });
  const std::vector<std::string> of_traces(first_trace, names.end());
  names.erase(first_trace, names.end());
  pages::document d;
  if (!names.empty()) d = pages::report_on(names);
  for (const std::string& name : of_traces) {
    std::vector<pages::section> sections = traces::sections_of(name, of_traces.size());
    if (d.title.empty()) d.title = "What the ranks did";
    std::move(sections.begin(), sections.end(), std::back_inserter(d.sections));
  }
  return d;
}

}  // namespace

int report_command(int argc, char** argv) {
  console::command_line line(kReport, "Makes one page of HTML of results, with plots and tables.",
                             "usage: ramjet report [options] FILE...", kReportFooter);
  std::vector<std::string> names;
  std::string output;
  bool as_json = false;
  line.positional("FILE", "results, or traces; - is standard input, of results", names);
  line.word("-o,--output", "PAGE", "write a page of HTML; without this tables are printed", output);
  line.flag("--json", "print one JSON object", as_json);
  if (const auto status = tools::read(kReport, line, argc, argv)) return *status;
  if (names.empty()) return tools::refuse(kReport, "name the files with results");
  if (as_json && !output.empty())
    return tools::refuse(kReport, "--json prints, and -o writes a page: give one of them");
  if (const auto same = console::input_that_is(output, names))
    return tools::refuse(kReport, "-o " + output + " is the file " + *same +
                                      ", which is read: write the page to another one");
  try {
    return tools::write_document(kReport, document_of(names), as_json, output);
  } catch (const pages::input_error& wrong) {
    return tools::fail(kReport, wrong.what());
  } catch (const traces::bad_trace& wrong) {
    return tools::fail(kReport, wrong.what());
  }
}
