// SPDX-License-Identifier: Apache-2.0
#include "harness/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace bench {
namespace {

constexpr int kVersion = 1;  // of a record: who reads it refuses later ones

struct scaled {
  double by;
  const char* unit;
};

// A unit in which the value has one to three digits before its point.
scaled readable(double value, const std::string& unit) {
  static constexpr std::array<scaled, 4> kTimes{{{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}}};
  const auto own =
      std::find_if(kTimes.begin(), kTimes.end(), [&](const scaled& s) { return unit == s.unit; });
  if (own == kTimes.end()) return {1, nullptr};
  scaled best = *own;
  for (auto next = own; next != kTimes.end() && value * own->by >= next->by; ++next) best = *next;
  return {own->by / best.by, best.unit};
}

std::string number(double value) {
  const int digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}", value, digits);
}

std::optional<double> ratio_of(const record& r) {
  if (!r.limit || *r.limit <= 0) return std::nullopt;
  return r.value / *r.limit;
}

std::string note_of(const record& r) {
  std::string own = r.params.text_or("note", "");
  if (!r.params.contains("ranks") || r.params["ranks"] == json(2)) return own;
  const auto ranks = r.params["ranks"].as_count();
  if (ranks == 1) return own;
  return fmt::format("{} ranks{}{}", ranks, own.empty() ? "" : ", ", own);
}

using row = std::array<std::string, 6>;

row row_of(const record& r) {
  const auto [by, unit] = readable(r.value, r.unit);
  const auto ratio = ratio_of(r);
  return {r.name,
          number(r.value * by),
          unit != nullptr ? unit : r.unit,
          r.limit ? number(*r.limit * by) : "-",
          ratio ? fmt::format("{:.2f}", *ratio) : "-",
          note_of(r)};
}

std::string provenance_line(const json& provenance) {
  std::string text;
  for (const auto& [key, value] : provenance.members())
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", key,
                        value.is_string() ? value.as_text() : value.dump());
  return text;
}

}  // namespace

std::string as_json(const std::vector<record>& records, const json& provenance) {
  json array = json::array();
  for (const record& r : records) {
    const auto ratio = ratio_of(r);
    json params = r.params;
    params["provenance"] = provenance;
    array.push_back({{"version", kVersion},
                     {"name", r.name},
                     {"value", r.value},
                     {"unit", r.unit},
                     {"better", r.lower_is_better ? "lower" : "higher"},
                     {"limit", r.limit ? json(*r.limit) : json()},
                     {"ratio_to_limit", ratio ? json(*ratio) : json()},
                     {"params", params}});
  }
  return array.dump(2) + "\n";
}

std::string as_table(const std::vector<record>& records, const json& provenance) {
  std::vector<row> rows = {{"name", "value", "unit", "limit", "ratio", "note"}};
  for (const record& r : records) rows.push_back(row_of(r));
  std::array<std::size_t, 6> width{};
  for (const row& r : rows)
    for (std::size_t i = 0; i < r.size(); ++i) width[i] = std::max(width[i], r[i].size());
  std::string text = provenance_line(provenance) + "\n";
  for (const row& r : rows) {
    std::string one = fmt::format("{:<{}}  {:>{}} {:<{}}  {:>{}}  {:>{}}  {}", r[0], width[0], r[1],
                                  width[1], r[2], width[2], r[3], width[3], r[4], width[4], r[5]);
    one.resize(one.find_last_not_of(' ') + 1);
    text += one + "\n";
  }
  return text;
}

void show_progress(const std::string& text) {
  if (::isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

}  // namespace bench
