// SPDX-License-Identifier: Apache-2.0
// `ramjet trace`: what a file of `ramjet run --trace` says, in the terminal.
#include <cstdio>
#include <string>
#include <vector>

#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"
#include "tools/trace/output.hpp"
#include "trace/file/join.hpp"
#include "trace/file/part.hpp"

namespace {

constexpr const char* kTraceName = "ramjet trace";
constexpr const char* kTraceFooter = R"(
Perfetto's viewer (https://ui.perfetto.dev) shows the same files, with every message as an arrow;
docs/trace.md says what stands in them. The exit status is 1 if a file cannot be read.

  ramjet run -n 4 --trace solve.trace ./solve input.txt
  ramjet trace solve.trace

Where a rank of a job on several machines has died, its trace stays in parts, one on each machine,
FILE.node-0 and so on. --join FILE makes FILE of those that are beside it, or of those named:

  ramjet trace --join solve.trace)";

// The parts of files[0], or those named after it, become files[0].
int join(const std::vector<std::string>& files) {
  std::vector<std::string> parts(files.begin() + 1, files.end());
  if (parts.empty()) parts = ramjet::trace::find_parts(files[0]);
  if (parts.empty())
    return tools::refuse(kTraceName, "--join " + files[0] + ": there is no part of it, such as " +
                                         ramjet::trace::part_path(files[0], 0));
  constexpr std::uint64_t kNoLimit = ~std::uint64_t{0} >> 1;
  const ramjet::trace::joined_trace joined = ramjet::trace::join_files(files[0], parts, kNoLimit);
  for (const std::string& sentence : joined.sentences)
    std::fprintf(stderr, "%s: %s: %s\n", kTraceName, files[0].c_str(), sentence.c_str());
  return joined.done ? 0 : 1;
}

}  // namespace

int trace_command(int argc, char** argv) {
  console::command_line line(
      kTraceName,
      "Says what a traced job did: messages by handler, waits that cost most, late senders,\n"
      "bytes by pair of ranks, and the critical path.",
      "usage: ramjet trace [--json] FILE...\n"
      "       ramjet trace --join FILE [PART...]",
      kTraceFooter);
  bool as_json = false, joins = false;
  std::vector<std::string> files;
  line.flag("--json", "print one JSON object; times in ns", as_json);
  line.flag("--join", "make FILE of its parts: those beside it, or those named after it", joins);
  line.positional("FILE", "what ramjet run --trace has written", files);
  if (const auto status = tools::read(kTraceName, line, argc, argv)) return *status;
  if (files.empty()) return tools::refuse(kTraceName, "name a file of `ramjet run --trace FILE`");
  if (joins && as_json)
    return tools::refuse(kTraceName, "--join makes a file, and --json prints: give one of them");
  if (joins) return join(files);
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
      exit_status = tools::fail(kTraceName, wrong.what());
    }
  }
  if (as_json) text = console::json{{"traces", traces}}.dump(1) + "\n";
  const int printed = tools::print(text);
  return exit_status != 0 ? exit_status : printed;
}
