// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "tools/pages/content.hpp"

namespace pages {

using console::json;

std::vector<section> bench_sections(const input& file) {
  const auto& records = file.runs.front().elements();
  const json& from = records.front()["params"]["provenance"];
  section s{
      fmt::format("Benchmarks: {}", file.shown_name()),
      {fmt::format(
          "{}, {} cores, {} {}, commit {}. The limit is what bare loads and stores "
          "take for the same thing in the same run.",
          from.text_or("processor", "unknown processor"),
          from["usable_cores"].is_number() ? number(from["usable_cores"].as_double()) : "?",
          from.text_or("compiler", ""), from.text_or("flags", ""), from.text_or("commit", "?"))},
      {},
      {}};
  plot p{"Speed beside the raw limit of the same run; the line is 1, to its right is faster.",
         {"speed over the limit's", true, false},
         {"benchmark", false, false},
         {},
         {}};
  table t{"", {"benchmark", "ranks", "value", "unit", "limit", "ratio", "note"}, {}};
  for (const json& r : records) {
    const json& ratio = r["ratio_to_limit"];
    const std::string name = r.at("name").as_text();
    const json& ranks = r["params"]["ranks"];
    if (ratio.is_number() && ratio.as_double() > 0) {
      const bool lower = r.text_or("better", "lower") == "lower";
      const double speed = lower ? 1 / ratio.as_double() : ratio.as_double();
      p.intervals.push_back({ranks.is_number() && ranks.as_double() > 2
                                 ? fmt::format("{}, {} ranks", name, number(ranks.as_double()))
                                 : name,
                             speed, speed, speed, tone::plain});
    }
    t.rows.push_back({name, ranks.is_number() ? number(ranks.as_double()) : "-",
                      number(r.at("value").as_double()), r.at("unit").as_text(),
                      r["limit"].is_number() ? number(r["limit"].as_double()) : "-",
                      ratio.is_number() ? fmt::format("{:.2f}", ratio.as_double()) : "-",
                      r["params"].text_or("note", "")});
  }
  if (!p.intervals.empty()) s.plots.push_back(p);
  s.tables.push_back(t);
  return {s};
}

}  // namespace pages
