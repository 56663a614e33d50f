// SPDX-License-Identifier: Apache-2.0
#include "tools/command/bench_compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "tools/command/output.hpp"

namespace tools {

using pages::verdict;

void add_options(console::command_line& line, comparison_request& wish, std::string& percent) {
  line.word("--compare", "OLD",
            "compare with an earlier run's --json, row by row: the named ones, or those it has",
            wish.old_file);
  line.word("--with", "NEW", "the file of a run to compare with OLD, in place of running now",
            wish.new_file);
  line.word(
      "--tolerance", "PERCENT",
      fmt::format("what differs by less is the same; without this {:.0f}", 100 * pages::kTolerance),
      percent);
}

std::optional<int> check_options(const char* command, const std::string& percent,
                                 comparison_request& wish) {
  if (wish.old_file.empty() && (!wish.new_file.empty() || !percent.empty()))
    return refuse(command, "--with and --tolerance belong to --compare: name the earlier run");
  if (percent.empty()) return std::nullopt;
  double number = 0;
  if (!console::read_number(percent, number) || !(number >= 0 && number <= 1000))
    return refuse(command, fmt::format("--tolerance {}: give a number from 0 to 1000", percent));
  wish.tolerance = number / 100;
  return std::nullopt;
}

std::vector<std::string> names_of(const pages::input& run) {
  if (run.what != pages::kind::bench) pages::refuse_input(run, "it is not a run of benchmarks");
  return pages::guarded(run, [&run] {
    std::vector<std::string> names;
    std::unordered_set<std::string> known;
    for (const console::json& record : run.runs.front().elements()) {
      const std::string& name = record.at("name").as_text();
      if (known.insert(name).second) names.push_back(name);
    }
    return names;
  });
}

pages::input only(const pages::input& run, const std::vector<std::string>& names) {
  if (names.empty()) return run;
  if (run.what != pages::kind::bench) pages::refuse_input(run, "it is not a run of benchmarks");
  console::json kept = console::json::array();
  for (const console::json& record : run.runs.front().elements())
    if (std::find(names.begin(), names.end(), record["name"].as_text()) != names.end())
      kept.push_back(record);
  if (kept.elements().empty())
    throw pages::input_error(run.name + " has none of the benchmarks that are named");
  return {run.name, run.what, {std::move(kept)}};
}

int print_comparison(const pages::input& old_run, const pages::input& new_run,
                     const comparison_request& wish, bool as_json) {
  const std::vector<pages::compared> rows = pages::compare(old_run, new_run, wish.tolerance);
  const int written = print(as_json ? pages::json_of(rows).dump(2) + "\n"
                                    : pages::text_of_tables(pages::comparison_document(
                                          rows, old_run, new_run, wish.tolerance)));
  if (written != 0) return written;
  const auto any = [&](std::initializer_list<verdict> wanted) {
    return std::any_of(rows.begin(), rows.end(), [&](const pages::compared& row) {
      return std::find(wanted.begin(), wanted.end(), row.result) != wanted.end();
    });
  };
  if (any({verdict::worse})) return kWorseStatus;
  return any({verdict::better, verdict::same}) ? 0 : kNothingComparedStatus;
}

}  // namespace tools
