// SPDX-License-Identifier: Apache-2.0
// `ramjet trace`: what a file of `ramjet run --trace` says, in the terminal.
#include <cstdio>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "traces/output.hpp"

namespace {

constexpr const char* kTraceName = "ramjet trace";
constexpr const char* kTraceFooter = R"(
Perfetto's viewer (https://ui.perfetto.dev) shows the same files, with every message as an arrow;
docs/trace.md says what stands in them. The exit status is 1 if a file cannot be read.

  ramjet run -n 4 --trace solve.trace ./solve input.txt
  ramjet trace solve.trace)";

}  // namespace

int trace_command(int argc, char** argv) {
  console::command_line line(
      kTraceName,
      "Says what a traced job did: messages by handler, waits that cost most, late senders,\n"
      "bytes by pair of ranks, and the critical path.",
      "usage: ramjet trace [--json] FILE...", kTraceFooter);
  bool as_json = false;
  std::vector<std::string> files;
  line.flag("--json", "print one JSON object; times in ns", as_json);
  line.positional("FILE", "what ramjet run --trace has written", files);
  if (const auto status = tools::read(kTraceName, line, argc, argv)) return *status;
  if (files.empty()) return tools::refuse(kTraceName, "name a file of `ramjet run --trace FILE`");
  int exit_status = 0;
  console::json traces = console::json::array();
  std::string text;
  for (const std::string& file : files) {
    try {
      const traces::job_trace job = traces::read_trace(file);
      const traces::trace_analysis analysis = traces::analyse(job);
      if (as_json) traces.push_back(traces::json_of(file, job, analysis));
      if (!as_json) text += (text.empty() ? "" : "\n") + traces::text_of(file, job, analysis);
    } catch (const traces::bad_trace& wrong) {
      std::fprintf(stderr, "%s: %s\n", kTraceName, wrong.what());
      exit_status = 1;
    }
  }
  if (as_json) text = console::json{{"traces", traces}}.dump(1) + "\n";
  const int printed = tools::print(text);
  return exit_status != 0 ? exit_status : printed;
}
