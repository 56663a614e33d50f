// SPDX-License-Identifier: Apache-2.0
#include "tools/pages/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tools/cli/printable.hpp"

namespace pages {

using console::json;

std::string number(double value) {
  const double size = std::abs(value);
  if (value == 0) return "0";
  if (size >= 1e15 || size < 1e-3) return fmt::format("{:.3g}", value);
  if (value == std::floor(value)) return fmt::format("{:.0f}", value);
  const int digits = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.0995 ? 2 : 4;
  return fmt::format("{:.{}f}", value, digits);
}

std::string duration(double ns) {
  const double size = std::abs(ns);
  if (size >= 1e9) return number(ns / 1e9) + " s";
  if (size >= 1e6) return number(ns / 1e6) + " ms";
  if (size >= 1e3) return number(ns / 1e3) + " us";
  return number(ns) + " ns";
}

std::string size_text(double bytes) {
  static constexpr const char* kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) bytes /= 1024, ++unit;
  return fmt::format("{} {}",
                     bytes == std::floor(bytes) ? fmt::format("{:.0f}", bytes) : number(bytes),
                     kUnits[unit]);
}

bool is_figure(const std::string& text) {
  return text.empty() || (text[0] >= '0' && text[0] <= '9') || text[0] == '-' || text[0] == '+';
}

table numbers_of(const plot& p) {
  table t{p.title, {}, {}};
  if (!p.intervals.empty()) {
    const bool wide = std::any_of(p.intervals.begin(), p.intervals.end(),
                                  [](const interval& i) { return i.low < i.high; });
    t.head = {p.y.label, p.x.label};
    if (wide) t.head.insert(t.head.end(), {"from", "to"});
    for (const interval& i : p.intervals) {
      std::vector<cell> row = {i.row, number(i.value)};
      if (wide) row.insert(row.end(), {number(i.low), number(i.high)});
      t.rows.push_back(std::move(row));
    }
    return t;
  }
  t.head = {p.x.label};
  std::map<double, std::vector<std::string>> rows;
  for (std::size_t s = 0; s < p.curves.size(); ++s) {
    t.head.push_back(p.curves[s].name);
    for (const point& at : p.curves[s].points) {
      auto& row = rows[at.x];
      row.resize(p.curves.size());
      row[s] = number(at.y);
    }
  }
  for (const auto& [x, values] : rows) {
    std::vector<cell> row = {p.x.is_bytes ? size_text(x) : number(x)};
    for (const std::string& value : values) row.emplace_back(value);
    t.rows.push_back(std::move(row));
  }
  return t;
}

// --- JSON ---------------------------------------------------------------------------------------

namespace {

const char* name_of(tone t) {
  static constexpr const char* kNames[] = {"plain", "good", "bad", "faint"};
  return kNames[static_cast<unsigned>(t)];
}

json json_of(const table& t) {
  json rows = json::array();
  for (const auto& row : t.rows) {
    json cells = json::array();
    for (const cell& c : row) cells.push_back(c.text);
    rows.push_back(cells);
  }
  return {{"title", t.title}, {"head", json::array(t.head)}, {"rows", rows}};
}

json json_of(const axis& a) {
  return {{"label", a.label}, {"log", a.is_log}, {"bytes", a.is_bytes}};
}

}  // namespace

json json_of(const plot& p) {
  json curves = json::array(), intervals = json::array();
  for (const series& s : p.curves) {
    json points = json::array();
    for (const point& at : s.points) {
      json pair = json::array();
      pair.push_back(at.x);
      pair.push_back(at.y);
      points.push_back(pair);
    }
    curves.push_back({{"name", s.name}, {"points", points}});
  }
  for (const interval& i : p.intervals)
    intervals.push_back({{"row", i.row},
                         {"low", i.low},
                         {"value", i.value},
                         {"high", i.high},
                         {"tone", name_of(i.mood)}});
  return {{"title", p.title},
          {"x", json_of(p.x)},
          {"y", json_of(p.y)},
          {"curves", curves},
          {"intervals", intervals}};
}

json json_of(const document& d) {
  json sections = json::array();
  for (const section& s : d.sections) {
    json plots = json::array(), tables = json::array(), timelines = json::array();
    for (const timeline& t : s.timelines) timelines.push_back(t.title);
    for (const plot& p : s.plots) plots.push_back(json_of(p));
    for (const table& t : s.tables) tables.push_back(json_of(t));
    sections.push_back({{"title", s.title},
                        {"sentences", json::array(s.sentences)},
                        {"plots", plots},
                        {"tables", tables},
                        {"timelines", timelines}});
  }
  return {{"version", 1}, {"title", d.title}, {"about", d.about}, {"sections", sections}};
}

// --- Text ---------------------------------------------------------------------------------------

namespace {

// Characters, of UTF-8.
std::size_t width_of(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// Words of files are shown so that they cannot steer a terminal.
table printable_of(table t) {
  for (std::string& head : t.head) head = console::printable(head);
  for (auto& row : t.rows)
    for (cell& c : row) c.text = console::printable(c.text);
  return t;
}

std::string text_of(const table& of_files) {
  const table t = printable_of(of_files);
  std::vector<std::size_t> widths;
  std::vector<bool> right;
  for (std::size_t i = 0; i < t.head.size(); ++i) {
    std::size_t width = width_of(t.head[i]);
    bool figures = i > 0;
    for (const auto& row : t.rows) {
      width = std::max(width, width_of(row[i].text));
      figures = figures && is_figure(row[i].text);
    }
    widths.push_back(width);
    right.push_back(figures);
  }
  std::string text;
  const auto line = [&](auto&& word_of) {
    std::string one = " ";
    for (std::size_t i = 0; i < t.head.size(); ++i) {
      const std::string& word = word_of(i);
      const std::string blanks(widths[i] - width_of(word), ' ');
      one += " " + (right[i] ? blanks + word : word + blanks) + " ";
    }
    one.resize(one.find_last_not_of(' ') + 1);
    text += one + "\n";
  };
  line([&](std::size_t i) -> const std::string& { return t.head[i]; });
  for (const auto& row : t.rows)
    line([&](std::size_t i) -> const std::string& { return row[i].text; });
  return text;
}

std::string text_of(const document& d, bool with_plots) {
  using console::printable;
  std::string text = printable(d.title) + "\n";
  if (!d.about.empty()) text += printable(d.about) + "\n";
  for (const section& s : d.sections) {
    text += "\n" + printable(s.title) + "\n";
    for (const std::string& sentence : s.sentences) text += "  " + printable(sentence) + "\n";
    if (with_plots)
      for (const plot& p : s.plots)
        text += "  " + printable(p.title) + "\n" + text_of(numbers_of(p));
    for (const table& t : s.tables)
      text += (t.title.empty() ? "" : "  " + printable(t.title) + "\n") + text_of(t);
  }
  return text;
}

}  // namespace

std::string text_of(const document& d) { return text_of(d, true); }
std::string text_of_tables(const document& d) { return text_of(d, false); }

}  // namespace pages
