// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/choices/comparison.hpp"

#include <algorithm>
#include <cmath>

#include "tools/characterize/remote/results.hpp"

namespace characterize {
namespace {

using console::json;
using ramjet::base::figure;

// A machine-specific value must be at least this much faster, on average over all sizes. One size
// alone says less, and the built-in value is as good as a choice has to be within that.
constexpr double kWorthIt = 0.01, kWorthItAtOneSize = 0.05;

const ramjet::base::figure_row& row_of(figure f) {
  return ramjet::base::all_figures()[std::size_t(f)];
}

const curve& times_of(const comparison& c, std::uint64_t value) {
  for (const forced_value& each : c.forced)
    if (each.value == value) return each.times;
  throw json::wrong_kind("a comparison lacks a value that has to be in it");
}

bool is_tried_one_by_one(figure f) {
  return kind_of(f) == kind_of_figure::part_size || kind_of(f) == kind_of_figure::count;
}

double best_at(const comparison& c, std::size_t i) {
  double best = c.forced.front().times[i].ns;
  for (const forced_value& each : c.forced) best = std::min(best, each.times[i].ns);
  return best;
}

// What a size takes if the figure has this value.
double time_at(const comparison& c, std::uint64_t value, std::size_t i) {
  if (is_tried_one_by_one(c.figure)) return times_of(c, value)[i].ns;
  const auto& row = row_of(c.figure);
  const double size = c.forced.front().times[i].x;
  const bool from_it_on = kind_of(c.figure) == kind_of_figure::from_size_on;
  const bool is_below = from_it_on ? size < double(value) : size <= double(value);
  return times_of(c, is_below ? row.most : row.least)[i].ns;
}

// In the mean over the sizes: log(time / best).
double cost(std::span<const comparison> all, std::uint64_t value) {
  double sum = 0;
  for (const comparison& c : all) {
    const std::size_t sizes = c.forced.front().times.size();
    for (std::size_t i = 0; i < sizes; ++i)
      sum += std::log(time_at(c, value, i) / best_at(c, i)) / double(sizes * all.size());
  }
  return sum;
}

// Whether the two values lead to the same choice at a size.
bool do_the_same(figure f, std::uint64_t a, std::uint64_t b, double size) {
  switch (kind_of(f)) {
    case kind_of_figure::from_size_on:
      return (size < double(a)) == (size < double(b));
    case kind_of_figure::up_to_size:
      return (size <= double(a)) == (size <= double(b));
    case kind_of_figure::count:
      return a == b;
    default:
      return std::min(double(a), size) == std::min(double(b), size);
  }
}

std::vector<std::uint64_t> candidates(const comparison& c) {
  std::vector<std::uint64_t> values;
  const auto& row = row_of(c.figure);
  if (is_tried_one_by_one(c.figure)) {
    for (const forced_value& each : c.forced) values.push_back(each.value);
    return values;
  }
  values = {row.least, row.most};
  for (const point& p : c.forced.front().times) {
    const auto size = std::uint64_t(p.x);
    if (size > row.least && size < row.most) values.push_back(size);
  }
  return values;
}

}  // namespace

kind_of_figure kind_of(figure f) noexcept {
  switch (f) {
    case figure::hub_bytes:
      return kind_of_figure::up_to_size;
    case figure::near_read_streaming_bytes:
    case figure::near_write_streaming_bytes:
    case figure::parts_bytes:
      return kind_of_figure::from_size_on;
    case figure::short_yield_ns:
      return kind_of_figure::time;
    case figure::lines_ahead:
      return kind_of_figure::count;
    default:
      return kind_of_figure::part_size;
  }
}

std::uint64_t best_value(std::span<const comparison> all) {
  const auto& row = row_of(all.front().figure);
  const bool is_one_size = all.front().forced.front().times.size() == 1;
  std::uint64_t best = row.fallback;
  double worth_it = is_one_size ? kWorthItAtOneSize : kWorthIt;
  for (const comparison& c : all) worth_it = std::max(worth_it, c.noise);
  double least = cost(all, row.fallback) - worth_it;
  for (const std::uint64_t value : candidates(all.front())) {
    const double its = cost(all, value);
    if (its >= least) continue;
    least = its;
    best = value;
  }
  return best;
}

curve ratios_to_best(const comparison& c) {
  curve ratios;
  for (std::size_t i = 0; i < c.forced.front().times.size(); ++i) {
    const double size = c.forced.front().times[i].x;
    double chosen = c.forced.front().times[i].ns;
    for (const forced_value& each : c.forced)
      if (do_the_same(c.figure, each.value, c.forced.front().value, size))
        chosen = std::min(chosen, each.times[i].ns);
    ratios.push_back({size, chosen / best_at(c, i)});
  }
  return ratios;
}

json as_json(const comparison& c) {
  json forced = json::array();
  for (const forced_value& each : c.forced)
    forced.push_back({{"value", each.value}, {"ns", as_json(each.times)}});
  return {
      {"figure", row_of(c.figure).name}, {"what", c.what}, {"noise", c.noise}, {"forced", forced}};
}

comparison comparison_of(const json& j) {
  comparison c;
  const std::string name = j.at("figure").as_text();
  const auto rows = ramjet::base::all_figures();
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&name](const auto& r) { return name == r.name; });
  if (row == rows.end()) throw json::wrong_kind("there is no figure of this name");
  c.figure = figure(row - rows.begin());
  c.what = j.at("what").as_text();
  c.noise = j.at("noise").as_double();
  for (const json& each : j.at("forced").elements())
    c.forced.push_back({each.at("value").as_count(), curve_of(each.at("ns"))});
  if (c.forced.empty()) throw json::wrong_kind("a comparison has nothing in it");
  for (const forced_value& each : c.forced)
    if (each.times.size() != c.forced.front().times.size() || each.times.empty())
      throw json::wrong_kind("the values of a comparison have different sizes");
  return c;
}

}  // namespace characterize
