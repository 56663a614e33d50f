// SPDX-License-Identifier: Apache-2.0
#include "tools/pages/papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <sstream>

#include "tools/pages/content.hpp"
#include "tools/pages/embedded.hpp"
#include "tools/pages/sources.hpp"

namespace pages {
namespace {

using console::json;

const json& papers() {
  static const json all = json::parse(embedded("papers.json")).value();
  return all;
}

std::string shown(const quantity& q) {
  if (q.unit == "ns") return duration(q.value);
  if (q.unit == "x") return number(q.value);
  if (q.unit == "percent") return number(q.value) + " %";
  return number(q.value) + " " + q.unit;
}

// One line of an item's table: what the paper has, and what was measured here.
struct line {
  std::string what, theirs;
  std::optional<double> theirs_value;
  std::string unit;
  std::optional<quantity> ours;
  bool has_reference = false;

  // How many times ours is of theirs; nothing where one of them is missing.
  std::optional<double> times() const {
    if (!ours || !theirs_value || *theirs_value == 0) return std::nullopt;
    return in_unit(*ours, unit) / *theirs_value;
  }
};

line line_of(const json& row, const sources& from) {
  line l;
  l.what = row.text_or("what", "");
  l.unit = row.text_or("unit", "");
  if (row["theirs"].is_number()) {
    l.theirs_value = row["theirs"].as_double();
    l.theirs = fmt::format("{} {}", number(*l.theirs_value), l.unit == "percent" ? "%" : l.unit);
  }
  l.theirs = row.text_or("theirs_text", l.theirs);
  if (row["ours"].is_string()) {
    l.has_reference = true;
    l.ours = from.find(row["ours"].as_text());
  }
  return l;
}

std::string times_text(double times) {
  if (times >= 1) return fmt::format("{} times", number(times));
  return fmt::format("1/{}", number(1 / times));
}

table table_of(const std::vector<line>& lines) {
  table t{"", {"what", "the paper's", "here", "here / the paper's"}, {}};
  for (const line& l : lines) {
    const std::optional<double> times = l.times();
    t.rows.push_back({l.what,
                      l.theirs.empty() ? "-" : l.theirs,
                      {l.ours            ? shown(*l.ours)
                       : l.has_reference ? "not measured"
                                         : "-",
                       l.has_reference && !l.ours ? tone::faint : tone::plain},
                      times ? times_text(*times) : "-"});
  }
  return t;
}

// Replaces {N} by our value in line N, from 1, and {N*} by how much of theirs it is, "1/12 of" or
// "3 times". Nothing if one of them was not measured.
std::optional<std::string> filled(const std::string& text, const std::vector<line>& lines) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{') {
      out += text[at];
      continue;
    }
    const std::size_t end = text.find('}', at);
    const bool compares = text[end - 1] == '*';
    const std::size_t index = std::stoul(text.substr(at + 1, end - at - 1)) - 1;
    const line& l = lines.at(index);
    const std::optional<double> times = l.times();
    if (!l.ours || (compares && !times)) return std::nullopt;
    out += !compares    ? shown(*l.ours)
           : *times < 1 ? fmt::format("1/{} of", number(1 / *times))
                        : fmt::format("{} times", number(*times));
    at = end;
  }
  return out;
}

// --- Plots --------------------------------------------------------------------------------------

// Rows of an app: {"app", "x", "y": [...], "by", "best"}.
plot app_plot(const json& how, const sources& from) {
  plot p{how.text_or("title", ""),
         {how.text_or("x", ""), false, false},
         {how.text_or("label", how["y"].elements().front().as_text()), how["log"] == json(true),
          false},
         {},
         {}};
  const std::string by = how.text_or("by", "");
  for (const json& row : from.rows(how.text_or("app", "")))
    for (const json& y : how["y"].elements()) {
      const json& named = row[by];
      const std::string name = named.is_string()   ? named.as_text()
                               : named.is_number() ? by + " " + number(named.as_double())
                                                   : y.as_text();
      const json& value = row[y.as_text()];
      const point at{row[how.text_or("x", "")].as_double(),
                     value.is_object() ? value["median"].as_double() : value.as_double()};
      auto curve = std::find_if(p.curves.begin(), p.curves.end(),
                                [&](const series& each) { return each.name == name; });
      if (curve == p.curves.end()) curve = p.curves.insert(p.curves.end(), {name, {}});
      const auto same = std::find_if(curve->points.begin(), curve->points.end(),
                                     [&](const point& each) { return each.x == at.x; });
      const std::string best = how.text_or("best", "");
      if (same == curve->points.end())
        curve->points.push_back(at);
      else if (best == "least" ? at.y < same->y : at.y > same->y)
        same->y = at.y;
    }
  return p;
}

plot plot_of(const json& how, const sources& from) {
  if (how.contains("app")) return app_plot(how, from);
  if (from.characterization() == nullptr) return {};
  const json& all = *from.characterization();
  const std::string part = how.text_or("part", ""), key = how.text_or("key", "");
  if (part == "strides") return strides_plot(all, key);
  if (how["bulk"] == json(true)) return bulk_plot(all, part, key);
  plot p{how.text_or("title", ""),
         {how.text_or("x", ""), true, how["bytes"] == json(true)},
         {"ns", true, false},
         {},
         {}};
  p.curves.push_back({how.text_or("label", "here"), curve_of(all, {part.c_str(), key.c_str()})});
  return p;
}

bool has_points(const plot& p) {
  return std::any_of(p.curves.begin(), p.curves.end(),
                     [](const series& s) { return !s.points.empty(); });
}

// --- Items --------------------------------------------------------------------------------------

section item_section(const std::string& paper, const json& item, const sources& from) {
  section s{fmt::format("{}, {}: {}", paper, item.text_or("place", ""), item.text_or("what", "")),
            {},
            {},
            {}};
  std::vector<line> lines;
  for (const json& row : item["rows"].elements()) lines.push_back(line_of(row, from));
  for (const json& how : item["plots"].elements())
    if (plot p = plot_of(how, from); has_points(p)) s.plots.push_back(std::move(p));
  const std::string says = item.text_or("says", "");
  const std::optional<std::string> today = filled(says, lines);
  if (today && !says.empty()) s.sentences.push_back(*today);
  const bool missing = std::any_of(lines.begin(), lines.end(),
                                   [](const line& l) { return l.has_reference && !l.ours; });
  if (missing || (!today && !says.empty()))
    s.sentences.push_back("Not all of it is measured here: it needs " +
                          item.text_or("needs", "ramjet bench --json") + ".");
  if (item.contains("note")) s.sentences.push_back(item["note"].as_text());
  if (!lines.empty()) s.tables.push_back(table_of(lines));
  return s;
}

void add_study(const sources& from, const std::string& paper, std::vector<section>& sections) {
  if (from.study() == nullptr) {
    sections.push_back({paper + ", its tables and figures",
                        {"Not measured here: it needs ramjet tam study --json."},
                        {},
                        {}});
    return;
  }
  for (section& s : study_sections(*from.study())) {
    s.title = paper + ", " + s.title;
    sections.push_back(std::move(s));
  }
}

void add_programs(const json& item, const sources& from, const std::string& paper,
                  std::vector<section>& sections) {
  section s{fmt::format("{}, {}: {}", paper, item.text_or("place", ""), item.text_or("what", "")),
            {},
            {},
            {}};
  if (from.programs() == nullptr) {
    s.sentences.push_back("Not measured here: it needs " + item.text_or("needs", "") + ".");
    table t{"", {"program", "the paper's: main", "co-processor", "main / co-processor"}, {}};
    for (const json& row : item["rows"].elements()) {
      const double main = row["main"].as_double(), coproc = row["coproc"].as_double();
      t.rows.push_back({row.text_or("what", ""), number(main) + " s", number(coproc) + " s",
                        number(main / coproc)});
    }
    s.tables.push_back(t);
  } else {
    s = programs_section(*from.programs());
    s.title = fmt::format("{}, {}: {}", paper, item.text_or("place", ""), item.text_or("what", ""));
  }
  sections.push_back(std::move(s));
}

}  // namespace

document papers_document(const std::vector<input>& files, const std::string& about) {
  const sources from(files);
  document d{"Five papers, measured again",
             fmt::format("The papers' numbers beside those of this machine{}{}. {}",
                         from.about().empty() ? "" : ": ", from.about(), about),
             {}};
  for (const json& paper : papers().at("papers").elements()) {
    const std::string name = paper.at("name").as_text();
    for (const json& item : paper.at("items").elements()) {
      if (item["study"] == json(true))
        add_study(from, name, d.sections);
      else if (item["programs"] == json(true))
        add_programs(item, from, name, d.sections);
      else
        d.sections.push_back(item_section(name, item, from));
    }
  }
  section list{"The papers", {}, {}, {}};
  for (const json& paper : papers().at("papers").elements())
    list.sentences.push_back(paper.at("cite").as_text());
  d.sections.push_back(list);
  return d;
}

std::vector<std::string> benchmarks_of_papers() {
  std::vector<std::string> names;
  for (const json& paper : papers().at("papers").elements())
    for (const json& item : paper.at("items").elements())
      for (const json& row : item["rows"].elements()) {
        std::stringstream words(row.text_or("ours", ""));
        for (std::string word, name; words >> word;)
          if (word == "bench" && words >> name &&
              std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
      }
  return names;
}

}  // namespace pages
