// SPDX-License-Identifier: Apache-2.0
// Runs of an app, which are not known by name: what varies is on the x axis, what is measured on
// the y axis, and what the rows are named by tells the curves apart.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "tools/pages/content.hpp"

namespace pages {
namespace {

using console::json;

// Values by column. Columns of the run come first, then those of its row; of one name the first
// counts.
class flat_row {
 public:
  void add(const std::string& column, const json& value) {
    if (values_.try_emplace(column, value).second) columns_.push_back(column);
  }
  const json* find(const std::string& column) const {
    const auto at = values_.find(column);
    return at == values_.end() ? nullptr : &at->second;
  }
  const std::vector<std::string>& columns() const { return columns_; }

 private:
  std::vector<std::string> columns_;  // in the order in which they came
  std::unordered_map<std::string, json> values_;
};

struct sweep {
  std::vector<std::string> columns;
  std::vector<flat_row> rows;
};

constexpr std::size_t kRowsMost = 20'000;
// What is measured, by the words of the apps; the first one that there is.
constexpr const char* kMeasured[] = {"ns_per_edge", "speedup", "utilisation", "seconds",
                                     "gflops",      "wait_ns", "teps"};

bool is_scalar(const json& value) {
  return value.is_number() || value.is_string() || value.is_boolean();
}

// Of {"median", "min", "max"} the median.
const json& middle_of(const json& value) {
  return value.is_object() && value.contains("median") ? value["median"] : value;
}

void add_scalars(const json& from, flat_row& row) {
  for (const auto& [name, value] : from.members())
    if (is_scalar(middle_of(value))) row.add(name, middle_of(value));
}

bool are_rows(const json& value) {
  return value.is_array() && !value.elements().empty() &&
         std::all_of(value.elements().begin(), value.elements().end(),
                     [](const json& each) { return each.is_object(); });
}

// The member that has the rows that were measured: the longest list of objects with numbers of
// kMeasured.
const json* rows_of(const json& run) {
  const json* best = nullptr;
  for (const auto& [name, value] : run.members()) {
    if (!are_rows(value)) continue;
    const bool is_measured = std::any_of(std::begin(kMeasured), std::end(kMeasured), [&](auto key) {
      return value.elements().front().contains(key);
    });
    if (is_measured && (best == nullptr || value.elements().size() > best->elements().size()))
      best = &value;
  }
  return best;
}

sweep flatten(const input& file) {
  sweep s;
  std::unordered_set<std::string> known;
  const auto add = [&](flat_row row) {
    if (s.rows.size() == kRowsMost)
      refuse_input(file, fmt::format("it has more than {} rows", kRowsMost));
    for (const std::string& name : row.columns())
      if (known.insert(name).second) s.columns.push_back(name);
    s.rows.push_back(std::move(row));
  };
  for (const json& run : file.runs) {
    flat_row outer;
    add_scalars(run, outer);
    const json* rows = rows_of(run);
    if (rows == nullptr) {
      add(outer);
      continue;
    }
    for (const json& each : rows->elements()) {
      flat_row row = outer;
      add_scalars(each, row);
      add(row);
    }
    // A serial program beside the ways.
    if (run["serial"].is_object()) {
      flat_row row = outer;
      add_scalars(run["serial"], row);
      add(row);
    }
  }
  return s;
}

std::set<std::string> values_of(const sweep& s, const std::string& column) {
  std::set<std::string> values;
  for (const flat_row& row : s.rows)
    if (const json* value = row.find(column)) values.insert(value->dump());
  return values;
}

bool is_whole(const json& value) {
  return value.type() == json::kind::integer || value.type() == json::kind::natural;
}

struct axes {
  std::string x, y, by;  // columns; x or y empty: nothing to draw
};

// The first numbers that vary and are not measurements are x: parameters come before measurements.
axes axes_of(const sweep& s) {
  axes a;
  for (const char* key : kMeasured)
    if (a.y.empty() && std::find(s.columns.begin(), s.columns.end(), key) != s.columns.end())
      a.y = key;
  for (const std::string& column : s.columns) {
    const json* first = s.rows.front().find(column);
    if (first == nullptr || column == a.y || column == "checksum") continue;
    const std::size_t count = values_of(s, column).size();
    if (count < 2) continue;
    if (first->is_string() && a.by.empty() && count <= 12) a.by = column;
    const bool whole = std::all_of(s.rows.begin(), s.rows.end(), [&](const flat_row& row) {
      const json* value = row.find(column);
      return value != nullptr && is_whole(*value);
    });
    if (whole && a.x.empty()) a.x = column;
  }
  return a;
}

std::string text_of(const json& value) {
  if (value.is_string()) return value.as_text();
  if (value.is_number()) return number(value.as_double());
  return value.dump();
}

// Whether the column says more of a row than its place on the x axis and the curve's name do.
bool tells_apart(const sweep& s, const axes& a, const std::string& column) {
  constexpr std::size_t kValuesMost = 8;
  if (column == a.x || column == a.y || column == "checksum") return false;
  std::map<std::pair<std::string, std::string>, std::string> seen;
  bool varies = false;
  for (const flat_row& row : s.rows) {
    const json *value = row.find(column), *x = row.find(a.x), *by = row.find(a.by);
    if (value == nullptr) continue;
    if (!is_whole(*value)) return false;
    const std::string text = value->dump();
    const auto [at, is_new] = seen.emplace(
        std::pair(x == nullptr ? "" : x->dump(), by == nullptr ? "" : by->dump()), text);
    varies = varies || (!is_new && at->second != text);
  }
  return varies && values_of(s, column).size() <= kValuesMost;
}

// The columns whose values a curve is named by.
std::vector<std::string> naming_columns(const sweep& s, const axes& a) {
  std::vector<std::string> columns;
  for (const std::string& column : s.columns)
    if (column == a.by || tells_apart(s, a, column)) columns.push_back(column);
  return columns;
}

std::string name_of(const std::vector<std::string>& columns, const axes& a, const flat_row& row) {
  std::string name;
  for (const std::string& column : columns) {
    const json* value = row.find(column);
    if (value == nullptr) continue;
    if (!name.empty()) name += ", ";
    name += value->is_string() ? value->as_text() : column + " " + text_of(*value);
  }
  return name.empty() ? a.y : name;
}

std::optional<plot> plot_of(const sweep& s) {
  constexpr std::size_t kCurvesMost = 16;
  const axes a = axes_of(s);
  if (a.x.empty() || a.y.empty()) return std::nullopt;
  plot p{fmt::format("{} by {}.", a.y, a.x), {a.x, false, false}, {a.y, false, false}, {}, {}};
  const std::vector<std::string> naming = naming_columns(s, a);
  double low = 1e300, high = 0;
  for (const flat_row& row : s.rows) {
    const json *x = row.find(a.x), *y = row.find(a.y);
    if (x == nullptr || y == nullptr || !x->is_number() || !y->is_number()) continue;
    const std::string name = name_of(naming, a, row);
    auto at = std::find_if(p.curves.begin(), p.curves.end(),
                           [&](const series& each) { return each.name == name; });
    if (at == p.curves.end()) at = p.curves.insert(p.curves.end(), {name, {}});
    at->points.push_back({x->as_double(), y->as_double()});
    low = std::min(low, x->as_double());
    high = std::max(high, x->as_double());
  }
  p.x.is_log = low > 0 && high / low > 20;
  if (p.curves.empty() || p.curves.size() > kCurvesMost) return std::nullopt;
  return p;
}

}  // namespace

std::vector<section> sweep_sections(const input& file) {
  const sweep all = flatten(file);
  section s{"Runs in " + file.shown_name(), {}, {}, {}};
  std::string same;
  table t{"", {}, {}};
  for (const std::string& column : all.columns) {
    const json* first = all.rows.front().find(column);
    if (all.rows.size() > 1 && first != nullptr && values_of(all, column).size() == 1)
      same += fmt::format("{}{} {}", same.empty() ? "" : ", ", column, text_of(*first));
    else
      t.head.push_back(column);
  }
  if (!same.empty()) s.sentences.push_back("In all rows: " + same + ".");
  for (const flat_row& row : all.rows) {
    std::vector<cell> cells;
    for (const std::string& column : t.head) {
      const json* value = row.find(column);
      cells.emplace_back(value == nullptr ? "" : text_of(*value));
    }
    t.rows.push_back(std::move(cells));
  }
  if (const std::optional<plot> p = plot_of(all)) s.plots.push_back(*p);
  if (!t.head.empty()) s.tables.push_back(t);
  return {s};
}

}  // namespace pages
