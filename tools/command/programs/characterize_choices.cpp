// SPDX-License-Identifier: Apache-2.0
#include "characterize_choices.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "base/cpus.hpp"
#include "characterize_probe_job.hpp"
#include "harness/report.hpp"
#include "ramjet/ramjet.hpp"
#include "tools/characterize/processor_time.hpp"
#include "tools/command/affinity.hpp"

namespace tools {

namespace {

using characterize::compared;
using characterize::comparison;
using console::json;
using ramjet::base::figure;
using ramjet::base::machine_profile;

constexpr const char* kName = "ramjet characterize";
constexpr unsigned kQuickRounds = 9, kRounds = 25;
constexpr unsigned kCrowdMost = 64, kTeamMost = 8;
// A yield that takes this much longer than a lone one has let another process run.
constexpr double kLongYield = 5;

std::vector<comparison> comparisons_of(const json& printed) {
  std::vector<comparison> all;
  for (const json& each : printed.elements()) all.push_back(characterize::comparison_of(each));
  return all;
}

struct choice_job {
  const char* kind;  // of the worker
  const char* what;
  unsigned ranks, nodes;
};

std::vector<choice_job> jobs() {
  const unsigned cores = ramjet::base::usable_cpus();
  std::vector<choice_job> all = {{"pair", "ways between two ranks of this machine", 2, 1},
                                 {"pair", "ways between two ranks that share no memory", 2, 2},
                                 {"crowd", "ways of reducing, more ranks than cores",
                                  std::clamp(2 * cores, 4u, kCrowdMost), 1}};
  if (cores > 2)
    all.push_back({"team", "ways of reducing, a core each", std::min(cores, kTeamMost), 1});
  return all;
}

}  // namespace

std::optional<compared> compare_choices(const choice_request& wish, int& status) {
  compared found;
  for (const choice_job& job : jobs()) {
    bench::show_progress(job.what);
    const probe_job request{
        {kChoiceWorker, job.kind, wish.quick ? "quick" : "full", wish.checks ? "check" : "learn"},
        job.ranks,
        job.nodes,
        wish.checks};
    const std::optional<json> printed =
        steadier(wish.quick, status, [&] { return results_of(request, kName, status); });
    if (!printed) return std::nullopt;
    for (comparison& c : comparisons_of(printed->at("compared"))) found.all.push_back(std::move(c));
    found.measured.drift = std::max(found.measured.drift, printed->at("drift").as_double());
    if (job.ranks <= ramjet::base::usable_cpus())  // else they take turns
      found.measured.lost = std::max(found.measured.lost, printed->at("lost").as_double());
    if (wish.keeps && !characterize::why_not_kept(found.measured).empty()) break;
  }
  return found;
}

machine_profile profile_of(const std::vector<comparison>& all) {
  machine_profile profile = ramjet::base::built_in_profile();
  for (std::size_t f = 0; f < ramjet::base::kFigures; ++f) {
    std::vector<comparison> of_figure;
    for (const comparison& c : all)
      if (c.figure == figure(f)) of_figure.push_back(c);
    if (!of_figure.empty()) profile.set(figure(f), characterize::best_value(of_figure));
  }
  const affinity_limit here({::sched_getcpu()});
  const auto& row = ramjet::base::all_figures()[std::size_t(figure::short_yield_ns)];
  profile.set(
      figure::short_yield_ns,
      std::clamp(std::uint64_t(kLongYield * characterize::lone_yield_ns()), row.least, row.most));
  return profile;
}

int choice_worker(int argc, char** argv) {
  const auto is = [argc, argv](int word, std::string_view text) {
    return word < argc && text == argv[word];
  };
  const bool quick = is(1, "quick");
  const characterize::choice_plan plan{quick ? kQuickRounds : kRounds, quick, is(2, "check")};
  ramjet::init(argc, argv);
  const characterize::processor_time time;
  compared found =
      is(0, "pair") ? characterize::compare_for_pair(plan) : characterize::compare_for_crowd(plan);
  if (is(0, "team"))  // with a core each no rank is a hub
    std::erase_if(found.all, [](const comparison& c) { return c.figure == figure::hub_bytes; });
  double lost = time.lost();
  ramjet::all_reduce(lost, [](double a, double b) { return std::max(a, b); });
  json all = json::array();
  for (const comparison& c : found.all) all.push_back(characterize::as_json(c));
  const json printed = {{"drift", found.measured.drift}, {"lost", lost}, {"compared", all}};
  if (ramjet::rank() == 0) fmt::print("{}\n", printed.dump());
  std::fflush(stdout);
  ramjet::finalize();
  return 0;
}

}  // namespace tools
