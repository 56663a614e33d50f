// SPDX-License-Identifier: Apache-2.0
#include "tools/characterize/report/choices.hpp"

#include <fmt/format.h>

#include "tools/characterize/drift.hpp"
#include "tools/characterize/remote/results.hpp"
#include "tools/characterize/report/quantities.hpp"

namespace characterize {
namespace {

using console::json;
using ramjet::base::all_figures;
using ramjet::base::figure;
using ramjet::base::figure_row;
using ramjet::base::found_profile;
using ramjet::base::kNever;
using ramjet::base::profile_quality;

constexpr double kGoodEnough = 1.05;

std::string value_text(figure f, std::uint64_t value) {
  switch (kind_of(f)) {
    case kind_of_figure::time:
      return ns_text(double(value));
    case kind_of_figure::count:
      return fmt::format("{}", value);
    default:
      return bytes_text(double(value));
  }
}

std::string choice_text(figure f, const figure_row& row, std::uint64_t value) {
  if (value >= kNever) return fmt::format("at all sizes {}", row.below);
  switch (kind_of(f)) {
    case kind_of_figure::from_size_on:
      return fmt::format("below {0} {1}, from {0} on {2}", value_text(f, value), row.below,
                         row.from_it_on);
    case kind_of_figure::count:
      return fmt::format("{}: {}", row.below, value);
    default:
      return fmt::format("up to {0} {1}, above {0} {2}", value_text(f, value), row.below,
                         row.from_it_on);
  }
}

std::string line(const char* name, const std::string& what) {
  return fmt::format("  {:<24} {}\n", name, what);
}

std::string quality_text(const profile_quality& quality) {
  return fmt::format("measured {} while the machine's pace changed by {} %",
                     quality.is_quick ? "with --quick" : "whole", quality.drift_percent - 100);
}

std::string state_text(const found_profile& found) {
  if (found.is_used)
    return fmt::format("in use, made {}, {}, read in {}", found.made, quality_text(found.quality),
                       ns_text(double(found.took_ns)));
  if (!found.problem.empty()) return "ignored: " + found.problem;
  if (!found.path.empty()) return "not there: ramjet characterize makes it";
  const bool has_folder = !ramjet::base::profile_path().empty();
  return has_folder ? "none is wanted (RAMJET_PROFILE=none)"
                    : "none: there is no folder for it; set HOME or XDG_CACHE_HOME, and then "
                      "ramjet characterize makes it";
}

}  // namespace

bool is_whole_and_steady(const profile_quality& quality) {
  return !quality.is_quick && double(quality.drift_percent) <= 100 * kRankDrift;
}

std::string text_of(const found_profile& found) {
  std::string text = "profile\n";
  text += line("machine", ramjet::base::machine_name());
  text += line("build", ramjet::base::build_name());
  text += line("file", found.path.empty() ? "none" : found.path);
  text += line("state", state_text(found));
  return text + choices_text(found);
}

std::string choices_text(const found_profile& found) {
  std::string text = "choices\n";
  for (std::size_t f = 0; f < ramjet::base::kFigures; ++f) {
    const figure_row& row = all_figures()[f];
    text += line(row.room, choice_text(figure(f), row, found.profile.values[f]));
    text += line("", fmt::format("{}: {}", row.name,
                                 found.profile.is_measured(figure(f))
                                     ? "measured here"
                                     : "built in; it was not measured here"));
  }
  return text;
}

json as_json(const found_profile& found) {
  json choices = json::object();
  for (std::size_t f = 0; f < ramjet::base::kFigures; ++f) {
    const figure_row& row = all_figures()[f];
    const std::uint64_t value = found.profile.values[f];
    choices[row.name] = {{"value", value >= kNever ? json() : json(value)},
                         {"measured", found.profile.is_measured(figure(f))},
                         {"chooses", row.room},
                         {"meaning", choice_text(figure(f), row, value)}};
  }
  return {{"machine", ramjet::base::machine_name()},
          {"build", ramjet::base::build_name()},
          {"file", found.path.empty() ? json() : json(found.path)},
          {"in_use", found.is_used},
          {"made", found.made.empty() ? json() : json(found.made)},
          {"quick", found.is_used ? json(found.quality.is_quick) : json()},
          {"drift", found.is_used ? json(double(found.quality.drift_percent) / 100) : json()},
          {"problem", found.problem.empty() ? json() : json(found.problem)},
          {"choices", choices}};
}

std::string check_text(const std::vector<comparison>& all) {
  std::string text;
  for (const comparison& c : all) {
    text += fmt::format(
        "{} ({} is {})\n", c.what, all_figures()[std::size_t(c.figure)].name,
        c.forced.front().value >= kNever ? "never" : value_text(c.figure, c.forced.front().value));
    std::string heads = fmt::format("  {:>9} {:>10}", "size", "chosen");
    for (std::size_t v = 1; v < c.forced.size(); ++v)
      heads += fmt::format(" {:>10}", c.forced[v].value >= kNever
                                          ? "never"
                                          : value_text(c.figure, c.forced[v].value));
    text += heads + "  chosen/best\n";
    const curve ratios = ratios_to_best(c);
    std::size_t good = 0;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
      text += fmt::format("  {:>9}", bytes_text(ratios[i].x));
      for (const forced_value& each : c.forced)
        text += fmt::format(" {:>10}", ns_text(each.times[i].ns));
      text += fmt::format("  {:.2f}\n", ratios[i].ns);
      good += ratios[i].ns <= kGoodEnough ? 1 : 0;
    }
    text += fmt::format("  within 5 % of the best at {} of {} sizes\n", good, ratios.size());
  }
  return text;
}

}  // namespace characterize
