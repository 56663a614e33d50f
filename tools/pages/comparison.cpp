// SPDX-License-Identifier: Apache-2.0
#include "tools/pages/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace pages {
namespace {

using console::json;

constexpr unsigned kRepeatsLeast = 4;
constexpr double kHalfWidthMost = 0.25;  // of an interval's logarithm: past it nothing is said
constexpr const char* kSameMachine[] = {"processor", "usable_cores", "compiler", "flags"};

std::string key_of(const json& record) {
  const json& ranks = record["params"]["ranks"];
  if (!ranks.is_number() || ranks.as_double() <= 2) return record.at("name").as_text();
  return fmt::format("{}, {} ranks", record.at("name").as_text(), ranks.as_count());
}

// Of records of one key the first.
std::unordered_map<std::string, const json*> records_of(const input& run) {
  std::unordered_map<std::string, const json*> records;
  for (const json& record : run.runs.front().elements())
    records.try_emplace(key_of(record), &record);
  return records;
}

// Of Student's distribution, two-sided 99 %: the first terms of its expansion about the normal one.
double quantile_99(double freedom) {
  constexpr double z = 2.5758;
  const double z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

// The square of the half-width of a median's interval, relative to the median.
double square_of(double spread, double repeats) {
  const double deviation = spread / (1.349 * (1 - 1.2 / repeats));
  const double half = quantile_99(repeats - 1) * 1.2533 * deviation / std::sqrt(repeats);
  return half * half;
}

// Nothing to say if it is empty.
std::string difference(const json& was, const json& is) {
  if (was["unit"] != json(is["unit"]) || was["better"] != json(is["better"]))
    return "measured in another unit";
  const json &one = was["params"]["provenance"], &other = is["params"]["provenance"];
  for (const char* what : kSameMachine)
    if (!(one[what] == other[what])) return fmt::format("another {}", what);
  return "";
}

double positive(const json& value, const input& file, const std::string& key) {
  if (!value.is_number() || !(value.as_double() > 0) || !std::isfinite(value.as_double()))
    refuse_input(file, key + " has no value above 0");
  return value.as_double();
}

// The limit's spread is known only of benchmarks that take it in turns with ours.
bool has_limit(const json& record) {
  return record["limit"].is_number() && record["limit"].as_double() > 0 &&
         record["params"]["limit_spread"].is_number();
}

double limit_of(const json& record) { return record["limit"].as_double(); }

// Adds the squares of the run's half-widths; false if it says too little.
bool add_squares(const json& record, bool by_limit, double& sum) {
  const json &repeats = record["params"]["repeats"], &spread = record["params"]["spread"];
  if (!repeats.is_number() || !spread.is_number() || repeats.as_double() < kRepeatsLeast)
    return false;
  sum += square_of(spread.as_double(), repeats.as_double());
  if (by_limit) sum += square_of(record["params"]["limit_spread"].as_double(), repeats.as_double());
  return true;
}

void judge(compared& row, double half, double tolerance) {
  const double log_speed = std::log(row.speed);
  row.low = std::exp(log_speed - half);
  row.high = std::exp(log_speed + half);
  if (std::abs(log_speed) > std::max(half, std::log1p(tolerance))) {
    row.result = log_speed > 0 ? verdict::better : verdict::worse;
  } else if (half > kHalfWidthMost) {
    row.why = "the repeats differ too much";
  } else {
    row.result = verdict::same;
  }
}

compared row_of(const json& was, const input& old_run, const json& is, const input& new_run,
                double tolerance) {
  compared row;
  row.name = key_of(is);
  row.unit = is.at("unit").as_text();
  row.was = positive(was.at("value"), old_run, row.name);
  row.is = positive(is.at("value"), new_run, row.name);
  row.why = difference(was, is);
  if (!row.why.empty()) {
    row.result = verdict::not_comparable;
    return row;
  }
  row.by_limit = has_limit(was) && has_limit(is);
  double one = row.was, other = row.is;
  if (row.by_limit) one /= limit_of(was), other /= limit_of(is);
  row.speed = is.text_or("better", "lower") == "lower" ? one / other : other / one;
  double squares = 0;
  if (add_squares(was, row.by_limit, squares) && add_squares(is, row.by_limit, squares))
    judge(row, std::sqrt(squares), tolerance);
  else
    row.low = row.high = row.speed, row.why = fmt::format("fewer than {} repeats", kRepeatsLeast);
  return row;
}

tone tone_of(verdict v) {
  switch (v) {
    case verdict::better:
      return tone::good;
    case verdict::worse:
      return tone::bad;
    case verdict::same:
      return tone::plain;
    default:
      return tone::faint;
  }
}

bool is_judged(const compared& row) {
  return row.result == verdict::better || row.result == verdict::same ||
         row.result == verdict::worse;
}

std::string about(const input& run) {
  const json& provenance = run.runs.front().elements().front()["params"]["provenance"];
  return fmt::format(
      "{} (commit {}, {}, {} cores, {} {})", run.shown_name(),
      provenance.text_or("commit", "unknown"), provenance.text_or("processor", "unknown processor"),
      provenance["usable_cores"].is_number() ? number(provenance["usable_cores"].as_double()) : "?",
      provenance.text_or("compiler", "unknown compiler"), provenance.text_or("flags", ""));
}

std::string summary_of(const std::vector<compared>& rows) {
  std::string text;
  for (const verdict v : {verdict::better, verdict::same, verdict::worse, verdict::unclear,
                          verdict::not_comparable, verdict::only_old, verdict::only_new}) {
    const auto count =
        std::count_if(rows.begin(), rows.end(), [v](const compared& r) { return r.result == v; });
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(v));
  }
  return text + ".";
}

table table_of(const std::vector<compared>& rows) {
  table t{
      "", {"benchmark", "before", "now", "unit", "times as fast", "99 % interval", "verdict"}, {}};
  for (const compared& row : rows) {
    const bool has_speed = row.result < verdict::not_comparable;
    t.rows.push_back(
        {row.name,
         row.was > 0 ? number(row.was) : "-",
         row.is > 0 ? number(row.is) : "-",
         row.unit,
         has_speed ? fmt::format("{:.2f}{}", row.speed, row.by_limit ? "" : " *") : "-",
         has_speed && row.low < row.high ? fmt::format("{:.2f} - {:.2f}", row.low, row.high) : "-",
         {row.why.empty() ? name_of(row.result)
                          : fmt::format("{}: {}", name_of(row.result), row.why),
          tone_of(row.result)}});
  }
  return t;
}

}  // namespace

const char* name_of(verdict v) {
  static constexpr const char* kNames[] = {"better",         "same",        "worse",   "unclear",
                                           "not comparable", "only before", "only now"};
  return kNames[static_cast<unsigned>(v)];
}

std::vector<compared> compare(const input& old_run, const input& new_run, double tolerance) {
  for (const input* run : {&old_run, &new_run}) {
    if (run->what != kind::bench) refuse_input(*run, "it is not a run of benchmarks");
    guarded(*run, [run] {
      for (const json& record : run->runs.front().elements()) static_cast<void>(key_of(record));
      return about(*run);
    });
  }
  std::vector<compared> rows;
  const auto of_old = records_of(old_run), of_new = records_of(new_run);
  for (const json& is : new_run.runs.front().elements()) {
    const std::string key = key_of(is);
    if (const auto was = of_old.find(key); was != of_old.end())
      rows.push_back(row_of(*was->second, old_run, is, new_run, tolerance));
    else
      rows.push_back({.name = key,
                      .unit = is.at("unit").as_text(),
                      .is = is.at("value").as_double(),
                      .result = verdict::only_new,
                      .why = ""});
  }
  for (const json& was : old_run.runs.front().elements())
    if (!of_new.contains(key_of(was)))
      rows.push_back({.name = key_of(was),
                      .unit = was.at("unit").as_text(),
                      .was = was.at("value").as_double(),
                      .result = verdict::only_old,
                      .why = ""});
  return rows;
}

document comparison_document(const std::vector<compared>& rows, const input& old_run,
                             const input& new_run, double tolerance) {
  document d{"Benchmarks compared",
             fmt::format("Before: {}. Now: {}.", about(old_run), about(new_run)),
             {}};
  section s{"Row by row", {summary_of(rows)}, {}, {}};
  s.sentences.push_back(fmt::format(
      "Told apart is what differs by more than {} % and by more than its interval. Where both runs "
      "have a raw limit, what counts is the time over that limit, taken in the same run; * marks "
      "the others.",
      number(100 * tolerance)));
  plot p{"How many times as fast as before; the line is 1, to its right is faster.",
         {"times as fast as before", true, false},
         {"benchmark", false, false},
         {},
         {}};
  for (const compared& row : rows)
    if (is_judged(row) || (row.result == verdict::unclear && row.low < row.high))
      p.intervals.push_back({row.name, row.low, row.speed, row.high, tone_of(row.result)});
  if (!p.intervals.empty()) s.plots.push_back(p);
  s.tables.push_back(table_of(rows));
  d.sections.push_back(s);
  return d;
}

json json_of(const std::vector<compared>& rows) {
  json all = json::array();
  for (const compared& row : rows)
    all.push_back({{"name", row.name},
                   {"unit", row.unit},
                   {"before", row.was > 0 ? json(row.was) : json()},
                   {"now", row.is > 0 ? json(row.is) : json()},
                   {"by_limit", row.by_limit},
                   {"speed", row.speed},
                   {"low", row.low},
                   {"high", row.high},
                   {"verdict", name_of(row.result)},
                   {"why", row.why}});
  return all;
}

}  // namespace pages
