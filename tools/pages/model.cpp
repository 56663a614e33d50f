// SPDX-License-Identifier: Apache-2.0
// What `ramjet model` predicts: the time by the number of ranks beside what was measured, and where
// it goes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/pages/content.hpp"

namespace pages {
namespace {

using console::json;

constexpr const char* kParts[] = {"compute", "overhead", "turns", "waiting"};

std::string percent(const json& share) { return fmt::format("{:.1f} %", 100 * share.as_double()); }

void add_curves(const std::vector<json>& rows, section& s) {
  series predicted{"predicted", {}}, measured{"measured", {}};
  plot shares{
      "Where the ranks' time goes.", {"ranks", true, false}, {"% of it", false, false}, {}, {}};
  for (const char* part : kParts) shares.curves.push_back({part, {}});
  for (const json& row : rows) {
    const double ranks = row.at("ranks").as_double();
    predicted.points.push_back({ranks, row.at("seconds").as_double()});
    if (row.contains("measured_seconds"))
      measured.points.push_back({ranks, row["measured_seconds"].as_double()});
    for (std::size_t i = 0; i < std::size(kParts); ++i)
      shares.curves[i].points.push_back({ranks, 100 * row.at(kParts[i]).as_double()});
  }
  plot times{"Seconds by the number of ranks.",
             {"ranks", true, false},
             {"seconds", true, false},
             {predicted},
             {}};
  if (!measured.points.empty()) times.curves.push_back(measured);
  s.plots.push_back(times);
  s.plots.push_back(shares);
}

table table_of(const std::vector<json>& rows, bool by_machine) {
  table t{"Predictions",
          {by_machine ? "machine" : "ranks", "time", "compute", "overhead", "turns", "waiting",
           "measured", "error"},
          {}};
  for (const json& row : rows) {
    const double ranks = row.at("ranks").as_double();
    std::vector<cell> cells = {by_machine ? row.text_or("name", "") : fmt::format("{}", ranks),
                               duration(1e9 * row.at("seconds").as_double())};
    for (const char* part : kParts) cells.emplace_back(percent(row.at(part)));
    const bool has_measured = row.contains("measured_seconds");
    const bool is_fitted = has_measured && row["fitted"].as_bool();
    cells.emplace_back(has_measured ? duration(1e9 * row["measured_seconds"].as_double()) : "");
    cells.emplace_back(!has_measured ? ""
                                     : fmt::format("{:+.1f} %{}", 100 * row["error"].as_double(),
                                                   is_fitted ? " (fitted)" : ""),
                       is_fitted ? tone::faint : tone::plain);
    t.rows.push_back(std::move(cells));
  }
  return t;
}

}  // namespace

section model_section(const json& model) {
  const std::string about = model.text_or("about", "");
  section s{"Predictions for " + model.text_or("model", "") + (about.empty() ? "" : ": " + about),
            {},
            {},
            {}};
  const std::vector<json>& rows = model["predictions"].elements();
  double worst = 0;
  unsigned predicted = 0;
  for (const json& row : rows)
    if (row.contains("error") && !row["fitted"].as_bool()) {
      ++predicted;
      worst = std::max(worst, std::abs(row["error"].as_double()));
    }
  if (predicted > 0)
    s.sentences.push_back(fmt::format(
        "Of {} measured times that nothing was fitted to, the farthest is {:.0f} % off.", predicted,
        100 * worst));
  for (const json& note : model["notes"].elements()) s.sentences.push_back(note.as_text());
  const bool by_machine = !rows.empty() && rows.front().contains("name");
  if (!by_machine) add_curves(rows, s);
  s.tables.push_back(table_of(rows, by_machine));
  table costs{"What was assumed", {"name", "value"}, {}};
  for (const char* which : {"near", "far"})
    for (const auto& [name, value] : model["costs"][which].members())
      costs.rows.push_back({fmt::format("{} {}", which, name), number(value.as_double())});
  for (const auto& [name, value] : model["parameters"].members())
    costs.rows.push_back({name, number(value.as_double())});
  s.tables.push_back(costs);
  return s;
}

}  // namespace pages
