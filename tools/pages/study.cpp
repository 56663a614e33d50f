// SPDX-License-Identifier: Apache-2.0
// The study of TAM's schedulers: the tables and figures of Spertus and Dally 1995.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/pages/content.hpp"

namespace pages {
namespace {

using console::json;

constexpr double kMissCycles[] = {12, 24, 48};

std::string beside(double ours, const json& theirs) {
  return theirs.is_number() ? fmt::format("{} | {}", number(ours), number(theirs.as_double()))
                            : number(ours);
}

std::vector<point> curve(const json& study, const std::string& name, double ways, double miss) {
  std::vector<point> points;
  for (const json& r : study["ratios"].elements())
    if (r.text_or("name", "") == name && r.at("ways").as_double() == ways &&
        r.at("miss_cycles").as_double() == miss)
      points.push_back({r.at("bytes").as_double(), r.at("ratio").as_double()});
  return points;
}

plot ratios(const std::string& title) {
  return {title, {"bytes of each cache", true, true}, {"cycles of MD / AM", false, false}, {}, {}};
}

section means(const json& study) {
  section s{"Figure 3: geometric means of MD's cycles over AM's, by cache", {}, {}, {}};
  for (const double miss : kMissCycles) {
    plot p = ratios(fmt::format("A miss costs {} cycles; below 1 MD is faster.", miss));
    for (const auto& [ways, name] :
         {std::pair{1.0, "direct-mapped"}, std::pair{2.0, "2 ways"}, std::pair{4.0, "4 ways"}})
      p.curves.push_back({name, curve(study, "mean", ways, miss)});
    s.plots.push_back(p);
  }
  return s;
}

section programs(const json& study, const std::string& title, double ways,
                 const std::vector<std::string>& names) {
  section s{title, {}, {}, {}};
  for (const double miss : kMissCycles) {
    plot p = ratios(fmt::format("A miss costs {} cycles; below 1 MD is faster.", miss));
    for (const std::string& name : names)
      p.curves.push_back({name, curve(study, name, ways, miss)});
    s.plots.push_back(p);
  }
  return s;
}

section claims(const json& study) {
  section s{"What the paper says of its measurements", {}, {}, {}};
  table t{"", {"section", "what the paper says", "here", "ours"}, {}};
  unsigned held = 0;
  for (const json& c : study["claims"].elements()) {
    const bool holds = c.at("reproduced").as_bool();
    held += holds;
    t.rows.push_back({c.text_or("place", ""),
                      c.text_or("text", ""),
                      {holds ? "reproduced" : "not reproduced", holds ? tone::good : tone::bad},
                      c.text_or("evidence", "")});
  }
  s.sentences.push_back(
      fmt::format("{} of its {} statements are reproduced.", held, t.rows.size()));
  s.tables.push_back(t);
  return s;
}

section granularity(const json& study) {
  const json& paper = study["papers"]["spertus_dally_1995"]["table_2"];
  section s{
      "Table 2: threads a quantum, instructions a thread and a quantum; cycles at 8 KB, 4 ways",
      {"Ours | the paper's."},
      {},
      {}};
  table t{"", {"program"}, {}};
  for (const json& column : paper["columns"].elements()) {
    const std::string& name = column.as_text();
    t.head.push_back(name.size() > 2 ? name : "MD/AM, miss " + name);
  }
  for (const json& p : study["programs"].elements()) {
    std::vector<double> ours;
    for (const char* key : {"threads_a_quantum", "instructions_a_thread", "instructions_a_quantum"})
      for (const char* how : {"MD", "AM"}) ours.push_back(p.at(how).at(key).as_double());
    for (const double miss : kMissCycles)
      for (const point& at : curve(study, p.at("name").as_text(), 4, miss))
        if (at.x == 8192) ours.push_back(at.y);
    std::vector<cell> row = {p.at("name").as_text()};
    const auto& theirs = paper[p.at("name").as_text()].elements();
    for (std::size_t i = 0; i + 1 < t.head.size(); ++i)
      row.emplace_back(i < ours.size() ? beside(ours[i], i < theirs.size() ? theirs[i] : json())
                                       : "-");
    t.rows.push_back(row);
  }
  s.tables.push_back(t);
  return s;
}

std::string name_with_arguments(const json& run) {
  std::string name = run.at("name").as_text();
  for (const json& a : run.at("arguments").elements()) name += " " + a.as_text();
  return name;
}

// Times of this processor, and MD/AM beside that of the counted machine.
section native(const json& study) {
  section s{"Today: the programs on this processor", {}, {}, {}};
  s.sentences.push_back(
      "Milliseconds of processor time by scheduler, then MD's over AM's: measured, and as the "
      "counted machine has it at 8 KB, 4 ways, by what a miss costs, and with caches of today.");
  const json& runs = study["native"];
  const json& first = runs.elements().front();
  table t{"", {"program"}, {}};
  for (const auto& [scheduler, seconds] : first.at("medians").members())
    t.head.push_back(scheduler);
  t.head.emplace_back("MD/AM");
  for (const json& c : first.at("counted").elements())
    t.head.push_back("counted, miss " + number(c.at("miss_cycles").as_double()));
  t.head.emplace_back("counted, caches of today");
  plot p{"Cycles of MD over AM's by what a miss costs, as counted",
         {"cycles of a miss", false, false},
         {"MD / AM", false, false},
         {},
         {}};
  for (const json& run : runs.elements()) {
    series counted{run.at("name").as_text(), {}};
    std::vector<cell> row = {name_with_arguments(run)};
    for (const auto& [scheduler, seconds] : run.at("medians").members())
      row.emplace_back(number(1e3 * seconds.as_double()));
    row.emplace_back(number(run.at("ratio").as_double()));
    for (const json& c : run.at("counted").elements()) {
      counted.points.push_back({c.at("miss_cycles").as_double(), c.at("ratio").as_double()});
      row.emplace_back(number(c.at("ratio").as_double()));
    }
    row.emplace_back(number(run.at("counted_today").as_double()));
    p.curves.push_back(counted);
    t.rows.push_back(row);
  }
  s.plots.push_back(p);
  s.tables.push_back(t);
  return s;
}

// What the processor counted in these runs; a sentence where the kernel counts nothing.
section hardware(const json& study) {
  section s{"Today: what the processor counts", {}, {}, {}};
  if (const std::string missing = study.text_or("native_counts_missing", ""); !missing.empty())
    s.sentences.push_back("Not counted by this kernel and processor: " + missing + ".");
  table t{"Millions, in user mode", {"program", "scheduler"}, {}};
  const auto each_run = [&](const auto& use) {
    for (const json& run : study["native"].elements())
      for (const auto& [scheduler, counts] : run["counts"].members())
        if (!counts.members().empty()) use(run, scheduler, counts);
  };
  const std::size_t first = t.head.size();
  each_run([&](const json&, const std::string&, const json& counts) {
    for (const auto& [event, unused] : counts.members())
      if (std::find(t.head.begin(), t.head.end(), event) == t.head.end()) t.head.push_back(event);
  });
  each_run([&](const json& run, const std::string& scheduler, const json& counts) {
    std::vector<cell> row = {name_with_arguments(run), scheduler};
    for (std::size_t i = first; i < t.head.size(); ++i) {
      const json& count = counts[t.head[i]];
      row.emplace_back(count.is_number() ? number(count.as_double() / 1e6) : "-");
    }
    t.rows.push_back(row);
  });
  if (!t.rows.empty()) s.tables.push_back(t);
  return s;
}

// Times of jobs of 1 to all ranks, and how much faster than on one rank the programs are.
section on_ranks(const json& study) {
  section s{"Today: the programs on ranks", {}, {}, {}};
  s.sentences.push_back(
      "Milliseconds from the start of ramjet run to its end, by scheduler; speed-ups are geometric "
      "means of the programs', over the same scheduler on one rank.");
  const auto& programs = study["native_on_ranks"].elements();
  table t{"", {"program", "ranks"}, {}};
  const json& first = programs.front().at("runs").elements().front();
  plot p{"Speed-up by ranks", {"ranks", false, false}, {"speed-up", false, false}, {}, {}};
  for (const auto& [scheduler, unused] : first.at("medians").members()) {
    t.head.push_back(scheduler);
    series curve{scheduler, {}};
    for (std::size_t at = 0; at < programs.front().at("runs").elements().size(); ++at) {
      double sum = 0;
      for (const json& program : programs) {
        const auto& runs = program.at("runs").elements();
        sum += std::log(runs[0].at("medians").at(scheduler).as_double() /
                        runs[at].at("medians").at(scheduler).as_double());
      }
      curve.points.push_back({programs.front().at("runs").elements()[at].at("ranks").as_double(),
                              std::exp(sum / double(programs.size()))});
    }
    p.curves.push_back(curve);
  }
  for (const json& program : programs)
    for (const json& run : program.at("runs").elements()) {
      std::vector<cell> row = {name_with_arguments(program), number(run.at("ranks").as_double())};
      for (const auto& [scheduler, median] : run.at("medians").members())
        row.emplace_back(number(1e3 * median.as_double()));
      t.rows.push_back(row);
    }
  s.plots.push_back(p);
  s.tables.push_back(t);
  return s;
}

double sum_of(const json& object) {
  double sum = 0;
  for (const auto& [name, value] : object.members()) sum += value.as_double();
  return sum;
}

section accesses(const json& study) {
  const json& theirs = study["papers"]["spertus_dally_1995"]["average_ratios_percent"];
  section s{"Section 3.1: accesses of MD in percent of AM's", {"Ours | the paper's."}, {}, {}};
  table t{"", {"program"}, {}};
  const std::vector<std::string> names = {"reads", "writes", "fetches"};
  t.head.insert(t.head.end(), names.begin(), names.end());
  for (const json& p : study["programs"].elements()) {
    std::vector<cell> row = {p.at("name").as_text()};
    for (const std::string& name : names) {
      const double md = sum_of(p.at("MD").at("counts").at("accesses").at(name)),
                   am = sum_of(p.at("AM").at("counts").at("accesses").at(name));
      row.emplace_back(am > 0 ? number(100 * md / am) : "-");
    }
    t.rows.push_back(row);
  }
  std::vector<cell> mean = {"mean"};
  std::string means;
  for (const std::string& name : names) {
    const double ours = 100 * study.at("mean_ratios").at(name).as_double();
    means += fmt::format("{}{} % of the {}", means.empty() ? "" : ", ", number(ours), name);
    mean.emplace_back(beside(ours, theirs[name]));
  }
  s.sentences.push_back(fmt::format("In the mean MD has {} that AM has.", means));
  t.rows.push_back(mean);
  s.tables.push_back(t);
  return s;
}

section messages(const json& study) {
  const json& theirs = study["papers"]["von_eicken_1992"]["table_3"];
  section s{"Messages in percent, beside von Eicken et al. 1992, Table 3", {}, {}, {}};
  table t{"", {"kind"}, {}};
  const auto& all = study["programs"].elements();
  for (const json& p : all) t.head.push_back(p.at("name").as_text());
  t.head.emplace_back("the paper's");
  if (all.empty()) return s;
  double least = 100, most = 0;
  for (const json& p : all) {
    const json& counts = p.at("AM").at("counts").at("messages");
    const double share =
        100 * (counts.at("fetch request").as_double() + counts.at("fetch reply").as_double()) /
        std::max(1.0, sum_of(counts));
    least = std::min(least, share);
    most = std::max(most, share);
  }
  s.sentences.push_back(fmt::format(
      "Fetches and their replies are {} to {} % of a program's messages; the paper's 80 %.",
      number(least), number(most)));
  for (const auto& [kind, unused] : all.front().at("AM").at("counts").at("messages").members()) {
    std::vector<cell> row = {kind};
    for (const json& p : all) {
      const json& counts = p.at("AM").at("counts").at("messages");
      const double sum = sum_of(counts);
      row.emplace_back(sum > 0 ? number(100 * counts[kind].as_double() / sum) : "-");
    }
    row.emplace_back(theirs[kind].is_number() ? number(theirs[kind].as_double()) : "", tone::faint);
    t.rows.push_back(row);
  }
  s.tables.push_back(t);
  return s;
}

// What became of the paper's statements on a table or figure, in a sentence.
void add_claims(section& s, const json& study, const std::string& place) {
  unsigned all = 0, held = 0;
  std::string others;
  for (const json& c : study["claims"].elements()) {
    if (c.text_or("place", "").find(place) == std::string::npos) continue;
    ++all;
    if (c.at("reproduced").as_bool())
      ++held;
    else
      others += (others.empty() ? "" : "; ") + c.text_or("text", "");
  }
  if (all == 0) return;
  s.sentences.push_back(fmt::format("{} of the paper's {} statements on it hold here{}.", held, all,
                                    others.empty() ? "" : ", not: " + others));
}

}  // namespace

std::vector<section> study_sections(const json& study) {
  std::vector<std::string> names;
  for (const json& p : study["programs"].elements()) names.push_back(p.at("name").as_text());
  names.emplace_back("mean");
  std::vector<section> all = {
      claims(study),
      granularity(study),
      accesses(study),
      means(study),
      programs(study, "Figure 4: by program, 4 ways", 4, names),
      programs(study, "Figure 5: by program, direct-mapped", 1, names),
      programs(study, "Figure 6: without SS, direct-mapped", 1, {"mean without SS"}),
      messages(study)};
  static constexpr std::pair<std::size_t, const char*> kPlaces[] = {
      {1, "Table 2"}, {3, "Figure 3"}, {4, "Figure 4"}, {5, "Figure 5"}, {6, "Figure 6"}};
  for (const auto& [index, place] : kPlaces) add_claims(all[index], study, place);
  const auto has = [&](const char* part) {
    const json& runs = study[part];
    return runs.is_array() && !runs.elements().empty();
  };
  if (has("native")) {
    all.push_back(native(study));
    if (section s = hardware(study); !s.sentences.empty() || !s.tables.empty()) all.push_back(s);
  }
  if (has("native_on_ranks")) all.push_back(on_ranks(study));
  return all;
}

}  // namespace pages
