// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "tools/pages/content.hpp"

namespace pages {
namespace {

using console::json;

const char* between(const std::string& part) {
  return part == "near" ? "two ranks of this machine" : "two ranks that share no memory";
}

std::vector<point> points_of(const json& pairs) {
  std::vector<point> points;
  for (const json& pair : pairs.elements())
    if (pair.elements().size() == 2)
      points.push_back({pair.elements()[0].as_double(), pair.elements()[1].as_double()});
  return points;
}

plot curve_plot(const json& c, const curve_place& place, const std::string& what,
                const std::string& title, const axis& x) {
  plot p{title, x, {"ns", true, false}, {}, {}};
  p.curves.push_back({what, curve_of(c, place)});
  return p;
}

void add(section& s, plot p) {
  const bool has_points = std::any_of(p.curves.begin(), p.curves.end(),
                                      [](const series& each) { return !each.points.empty(); });
  if (has_points) s.plots.push_back(std::move(p));
}

// Says that a part was not measured in one state of the machine.
void mark_drift(const json& part, section& s) {
  if (part["steady"] != json(false) || !part["drift"].is_number()) return;
  s.sentences.push_back(
      fmt::format("The machine's pace changed by {:.0f} % meanwhile: these figures are worth "
                  "measuring again on a quieter machine.",
                  100 * (part["drift"].as_double() - 1)));
}

section memory_section(const json& c) {
  const json& memory = c["memory"];
  section s{"This core's memory", {}, {}, {}};
  table findings{"What was found, beside what the system says",
                 {"found", "the system says", "they agree"},
                 {}};
  for (const json& f : memory["findings"].elements()) {
    const bool is_said = f.contains("system_says");
    const bool agrees = f["agrees"].is_boolean() && f["agrees"].as_bool();
    findings.rows.push_back({f.text_or("text", ""),
                             is_said ? f.text_or("system_says", "") : "-",
                             {!is_said ? "-"
                              : agrees ? "yes"
                                       : "no",
                              !is_said ? tone::plain
                              : agrees ? tone::good
                                       : tone::bad}});
  }
  plot by_size = curve_plot(c, {"memory", "reads_by_size"}, "each waits for the one before",
                            "A read of memory in random order, by the size of what is read.",
                            {"bytes read", true, true});
  by_size.curves.push_back({"reads overlap", curve_of(c, {"memory", "gathers_by_size"})});
  add(s, by_size);
  for (const char* what : {"reads", "writes"}) add(s, strides_plot(c, what));
  add(s, curve_plot(c, {"memory", "reads_of_one_set"}, "a read",
                    "A read of lines that share a set of the first level, by their number.",
                    {"lines", false, false}));
  add(s, curve_plot(c, {"memory", "reads_by_pages"}, "a read",
                    "A read of one line in each page, by the number of pages.",
                    {"pages", true, false}));
  if (!findings.rows.empty()) s.tables.push_back(findings);
  mark_drift(memory, s);
  return s;
}

section remote_section(const json& c, const std::string& part) {
  section s{part == "near" ? "Between two ranks of this machine"
                           : "Between two ranks that share no memory",
            {},
            {},
            {}};
  const json& r = c[part];
  static constexpr std::pair<const char*, const char*> kCosts[] = {
      {"round_trip_ns", "a request and its reply"},
      {"send_overhead_ns", "o_s: the sender's processor"},
      {"receive_overhead_ns", "o_r: the receiver's processor"},
      {"gap_ns", "g: between messages of a long row"},
      {"byte_ns", "G: a byte of a long message"},
      {"latency_ns", "L: what is left of half a round trip"},
      {"put_ns", "a put, many under way"},
      {"fetch_add_ns", "a fetch-and-add"},
      {"barrier_ns", "a barrier"}};
  table costs{"Messages and accesses", {"what", "takes"}, {}};
  for (const auto& [key, what] : kCosts)
    if (r[key].is_number()) costs.rows.push_back({what, duration(r[key].as_double())});
  plot strides{fmt::format("Blocking reads and writes, and puts that nothing waits for one by "
                           "one, by stride, between {}.",
                           between(part)),
               {"stride in bytes", true, true},
               {"ns", true, false},
               {},
               {}};
  strides.curves.push_back({"reads", curve_of(c, {part.c_str(), "reads_by_stride"})});
  strides.curves.push_back({"writes", curve_of(c, {part.c_str(), "writes_by_stride"})});
  strides.curves.push_back({"puts", curve_of(c, {part.c_str(), "puts_by_stride"})});
  add(s, strides);
  plot groups{fmt::format("Gets and puts, by how many are begun before each sync, between {}.",
                          between(part)),
              {"accesses in a group", true, false},
              {"ns each", true, false},
              {},
              {}};
  groups.curves.push_back({"a get", curve_of(c, {part.c_str(), "gets_by_group"})});
  groups.curves.push_back({"a put", curve_of(c, {part.c_str(), "puts_by_group"})});
  add(s, groups);
  add(s, bulk_plot(c, part, "reads"));
  add(s, bulk_plot(c, part, "writes"));
  if (!costs.rows.empty()) s.tables.push_back(costs);
  mark_drift(r, s);
  return s;
}

section pairs_section(const json& pairs) {
  section s{"Messages by where the two ranks are", {}, {}, {}};
  static constexpr std::pair<const char*, const char*> kCosts[] = {
      {"round_trip_ns", "there and back"},
      {"send_overhead_ns", "o_s"},
      {"receive_overhead_ns", "o_r"},
      {"latency_ns", "L"},
      {"gap_ns", "g"},
      {"byte_ns", "G, a byte"}};
  table costs{"One pair of each kind that this machine has", {"where", "processors"}, {}};
  for (const auto& [key, what] : kCosts) costs.head.push_back(what);
  costs.head.push_back("steady");
  for (const json& pair : pairs.elements()) {
    std::string processors;
    for (const json& one : pair["processors"].elements())
      processors += (processors.empty() ? "" : ", ") + number(one.as_double());
    costs.rows.push_back({pair.text_or("where", "?"), processors.empty() ? "-" : processors});
    for (const auto& [key, what] : kCosts)
      costs.rows.back().push_back(pair[key].is_number() ? duration(pair[key].as_double()) : "-");
    const bool is_steady = pair["steady"] != json(false);
    costs.rows.back().push_back({is_steady ? "yes" : "no", is_steady ? tone::plain : tone::bad});
  }
  s.tables.push_back(costs);
  return s;
}

section crowd_section(const json& c) {
  section s{"Many ranks", {}, {}, {}};
  add(s, curve_plot(c, {"crowd", "barriers"}, "a barrier",
                    "A barrier of more ranks than there are cores, by their number.",
                    {"ranks", true, false}));
  add(s, curve_plot(c, {"crowd", "bytes"}, "a byte",
                    "A byte of messages from all ranks to all, by their number, of a processor's "
                    "time.",
                    {"ranks", true, false}));
  mark_drift(c["crowd"], s);
  return s;
}

section idle_network_section(const json& found) {
  section s{"While a network is open but idle",
            {"What messages between two ranks of this machine cost while a third rank is silent: "
             "one of the same machine, or of another one, to which a network is open."},
            {},
            {}};
  static constexpr std::pair<const char*, const char*> kCosts[] = {
      {"round_trip_ns", "a request and its reply"},
      {"gap_ns", "g: between messages of a long row"},
      {"poll_ns", "a poll that finds nothing"}};
  table costs{"", {"what", "without a network", "with it", "with / without"}, {}};
  for (const auto& [key, what] : kCosts) {
    const json &without = found["without"][key], &with = found["with"][key];
    if (!without.is_number() || !with.is_number() || without.as_double() <= 0) continue;
    costs.rows.push_back({what, duration(without.as_double()), duration(with.as_double()),
                          number(with.as_double() / without.as_double())});
  }
  if (!costs.rows.empty()) s.tables.push_back(costs);
  return s;
}

}  // namespace

std::vector<point> curve_of(const json& characterization, const curve_place& place) {
  return points_of(characterization[place.part][place.key]);
}

plot strides_plot(const json& characterization, const std::string& reads_or_writes) {
  plot p{fmt::format("{} of this core's memory by stride, a curve for each size of the array.",
                     reads_or_writes == "reads" ? "Reads" : "Writes"),
         {"stride in bytes", true, true},
         {"ns", true, false},
         {},
         {}};
  for (const json& size : characterization["memory"]["by_stride"].elements())
    p.curves.push_back({size_text(size.at("bytes").as_double()), points_of(size[reads_or_writes])});
  return p;
}

plot bulk_plot(const json& characterization, const std::string& part,
               const std::string& reads_or_writes) {
  const bool reads = reads_or_writes == "reads";
  plot p{fmt::format("Bytes {} between {}, by mechanism.", reads ? "fetched" : "written",
                     between(part)),
         {"bytes", true, true},
         {"GB/s", true, false},
         {},
         {}};
  for (const auto& [name, curve] :
       characterization[part][reads ? "bulk_reads" : "bulk_writes"].members()) {
    series s{name, points_of(curve)};
    for (point& at : s.points) at.y = at.y > 0 ? at.x / at.y : 0;
    p.curves.push_back(std::move(s));
  }
  return p;
}

std::vector<section> characterization_sections(const input& file) {
  const json& c = file.runs.front();
  std::vector<section> all;
  if (c.contains("memory")) all.push_back(memory_section(c));
  for (const char* part : {"near", "far"})
    if (c.contains(part)) all.push_back(remote_section(c, part));
  if (!c["pairs"].elements().empty()) all.push_back(pairs_section(c["pairs"]));
  if (c.contains("idle_network")) all.push_back(idle_network_section(c["idle_network"]));
  if (c.contains("crowd")) all.push_back(crowd_section(c));
  if (all.empty()) return all;
  const json& machine = c["machine"];
  all.front().sentences.insert(
      all.front().sentences.begin(),
      fmt::format(
          "{}: {}, {} cores, kernel {}, commit {}{}.", file.shown_name(),
          machine.text_or("processor", "unknown processor"),
          machine["usable_cores"].is_number() ? number(machine["usable_cores"].as_double()) : "?",
          machine.text_or("kernel", "?"), machine.text_or("commit", "?"),
          c["quick"] == json(true) ? "; with --quick: few samples" : ""));
  return all;
}

}  // namespace pages
