// SPDX-License-Identifier: Apache-2.0
#include "tools/pages/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tools/cli/command_line.hpp"
#include "tools/pages/content.hpp"
#include "tools/pages/embedded.hpp"

namespace pages {
namespace {

using console::json;

constexpr std::pair<const char*, double> kScales[] = {{"ns", 1},  {"us", 1e3},   {"ms", 1e6},
                                                      {"s", 1e9}, {"MB/s", 1e6}, {"GB/s", 1e9}};

std::optional<double> scale_of(const std::string& unit) {
  for (const auto& [name, scale] : kScales)
    if (unit == name) return scale;
  return std::nullopt;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::stringstream rest(text);
  for (std::string word; rest >> word;) words.push_back(word);
  return words;
}

// Of the place that a word as @4096 or @last names.
std::optional<double> at_place(const std::vector<point>& points, const std::string& word) {
  if (points.empty()) return std::nullopt;
  if (word == "@first") return points.front().y;
  if (word == "@last") return points.back().y;
  double x = 0;
  if (!console::read_number(word.substr(1), x)) return std::nullopt;
  return std::min_element(
             points.begin(), points.end(),
             [x](const point& a, const point& b) { return std::abs(a.x - x) < std::abs(b.x - x); })
      ->y;
}

std::optional<quantity> nanoseconds(const std::optional<double>& value) {
  if (!value) return std::nullopt;
  return quantity{*value, "ns"};
}

// From docs/budgets.json.
std::optional<quantity> of_budget(const std::string& name) {
  static const json budgets = json::parse(embedded("budgets.json")).value();
  for (const json& budget : budgets.elements()) {
    if (budget.at("path").as_text() == name)
      return quantity{budget.at("instructions").as_double(), "instructions"};
  }
  return std::nullopt;
}

// The greatest speedup of any, or the least time of the largest product.
std::optional<quantity> best_product(const std::vector<json>& rows, const std::string& what) {
  double size = 0, speedup = 0, seconds = 0;
  for (const json& row : rows) {
    speedup = std::max(speedup, row.at("speedup").as_double());
    const double its_size = row.at("size").as_double(), its_seconds = row.at("seconds").as_double();
    if (its_size > size || (its_size == size && its_seconds < seconds)) seconds = its_seconds;
    size = std::max(size, its_size);
  }
  if (rows.empty()) return std::nullopt;
  return what == "speedup" ? quantity{speedup, "x"} : quantity{1e9 * seconds, "ns"};
}

}  // namespace

double in_unit(const quantity& q, const std::string& unit) {
  const std::optional<double> from = scale_of(q.unit), to = scale_of(unit);
  return from && to ? q.value * *from / *to : q.value;
}

sources::sources(const std::vector<input>& files) {
  for (const input& file : files) {
    const json& first = file.runs.front();
    switch (file.what) {
      case kind::bench:
        for (const json& record : first.elements()) records_.push_back(&record);
        break;
      case kind::characterization:
        characterization_ = &first;
        break;
      case kind::study:
        study_ = &first;
        break;
      case kind::programs:
        programs_ = &first;
        break;
      case kind::model:  // no figure of the papers
        break;
      case kind::app:
        for (const json& run : file.runs) runs_.push_back(&run);
    }
  }
}

std::vector<json> sources::rows(const std::string& app) const {
  const auto [list, key] = app == "em3d"     ? std::pair{"results", "version"}
                           : app == "matmul" ? std::pair{"rows", "utilisation"}
                                             : std::pair{"rows", "granularity"};
  std::vector<json> all;
  for (const json* run : runs_)
    for (const json& row : (*run)[list].elements())
      if (row.contains(key)) all.push_back(row);
  return all;
}

std::string sources::about() const {
  std::string text;
  if (!records_.empty()) {
    const json& from = (*records_.front())["params"]["provenance"];
    text = fmt::format("{}, commit {}", from.text_or("processor", "unknown processor"),
                       from.text_or("commit", "unknown"));
  } else if (characterization_ != nullptr) {
    const json& from = (*characterization_)["machine"];
    text = fmt::format("{}, commit {}", from.text_or("processor", "unknown processor"),
                       from.text_or("commit", "unknown"));
  }
  return text;
}

std::optional<quantity> sources::find(const std::string& reference) const {
  if (reference.starts_with("half ")) {
    std::optional<quantity> whole = find(reference.substr(5));
    if (whole) whole->value /= 2;
    return whole;
  }
  const std::size_t plus = reference.find(" + ");
  if (plus == std::string::npos) return find_one(reference);
  const std::optional<quantity> a = find_one(reference.substr(0, plus)),
                                b = find(reference.substr(plus + 3));
  if (!a || !b) return std::nullopt;
  return quantity{a->value + in_unit(*b, a->unit), a->unit};
}

std::optional<quantity> sources::find_one(const std::string& reference) const {
  const std::vector<std::string> words = words_of(reference);
  if (words.size() < 2) return std::nullopt;
  if (words[0] == "bench") return of_bench(words);
  if (words[0] == "messages") return of_study(reference.substr(9));
  if (words[0] == "budget") return of_budget(words[1]);
  if (words[0] == "agenda") return best_product(rows("agenda_matmul"), words[1]);
  if (words[0] == "em3d" || words[0] == "matmul") return of_app(words);
  return of_characterization(words);
}

std::optional<quantity> sources::of_bench(const std::vector<std::string>& words) const {
  for (const json* record : records_) {
    if ((*record).at("name").as_text() != words[1]) continue;
    const std::string unit = (*record).at("unit").as_text();
    const bool of_record = words.size() == 2 || words[2] == "limit";
    const json& value = words.size() == 2     ? (*record)["value"]
                        : words[2] == "limit" ? (*record)["limit"]
                                              : (*record)["params"][words[2]];
    if (value.is_number()) return quantity{value.as_double(), of_record ? unit : "ns"};
  }
  return std::nullopt;
}

std::optional<quantity> sources::of_characterization(const std::vector<std::string>& words) const {
  if (characterization_ == nullptr) return std::nullopt;
  const json& all = *characterization_;
  if (words[0] == "reads" || words[0] == "writes") {
    const plot by_stride = strides_plot(all, words[0]);
    if (by_stride.curves.empty()) return std::nullopt;
    return nanoseconds(at_place(by_stride.curves.back().points, words[1]));
  }
  if (words.size() == 2) {
    const json& value = all[words[0]][words[1]];
    if (!value.is_number()) return std::nullopt;
    return quantity{value.as_double(), "ns"};
  }
  if (words[2] != "best")
    return nanoseconds(at_place(curve_of(all, {words[0].c_str(), words[1].c_str()}), words[2]));
  double most = 0;
  for (const series& s : bulk_plot(all, words[0], words[1]).curves)
    for (const point& at : s.points) most = std::max(most, at.y);
  if (most == 0) return std::nullopt;
  return quantity{most, "GB/s"};
}

std::optional<quantity> sources::of_study(const std::string& kind) const {
  if (study_ == nullptr) return std::nullopt;
  double all = 0, of_kind = 0, tl0 = 0, instructions = 0;
  for (const json& program : (*study_)["programs"].elements()) {
    const json& counts = program.at("AM").at("counts");
    for (const auto& [name, value] : counts.at("messages").members()) {
      all += value.as_double();
      if (name == kind) of_kind += value.as_double();
    }
    tl0 += counts.at("tl0_instructions").as_double();
    instructions += counts.at("instructions").as_double();
  }
  if (all == 0) return std::nullopt;
  if (kind == "tl0") return quantity{tl0 / all, "instructions"};
  if (kind == "instructions") return quantity{instructions / all, "instructions"};
  return quantity{100 * of_kind / all, "percent"};
}

std::optional<quantity> sources::of_app(const std::vector<std::string>& words) const {
  std::vector<point> points;
  const bool em3d = words[0] == "em3d";
  for (const json& row : rows(words[0])) {
    if (em3d && row.text_or("version", "") == words[1])
      points.push_back(
          {row.at("remote_percent").as_double(), row.at("ns_per_edge").at("median").as_double()});
    if (!em3d)
      points.push_back({row.at("columns").as_double(), 100 * row.at("utilisation").as_double()});
  }
  const std::optional<double> value = at_place(points, words.back());
  if (!value) return std::nullopt;
  return quantity{*value, em3d ? "ns" : "percent"};
}

}  // namespace pages
