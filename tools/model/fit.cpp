// SPDX-License-Identifier: Apache-2.0
#include "tools/model/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "tools/cli/json.hpp"

namespace loggp {
namespace {

using console::json;

// By these factors a parameter is tried larger and smaller, until that no longer helps.
constexpr double kFactors[] = {10, 3, 1.5, 1.2, 1.05, 1.01, 1.002};
constexpr unsigned kRoundsMax = 200;  // of each factor
constexpr double kLeast = 1e-9, kMost = 1e15;

// How far a skeleton is from some runs: the sum of squared relative errors.
class misfit {
 public:
  misfit(const machine& m, const std::vector<measured_run>& runs, const fit_progress& progress)
      : machine_(m), runs_(runs), progress_(progress) {}

  double of(const skeleton& s) {
    double sum = 0;
    for (const measured_run& run : runs_) {
      ++simulations_;
      if (!goes_on()) throw interrupted();
      const auto p = program_of(s, machine_, run.ranks);
      const auto progress = [this](double, std::uint64_t) { return goes_on(); };
      const outcome o = simulate(machine_, *p, {.ranks = run.ranks, .progress = progress});
      const double error = error_of(o.time_ns, run.time_ns);
      sum += error * error;
    }
    return sum;
  }

 private:
  bool goes_on() const { return !progress_ || progress_(simulations_); }

  const machine& machine_;
  const std::vector<measured_run>& runs_;
  const fit_progress& progress_;
  std::uint64_t simulations_ = 0;
};

[[noreturn]] void refuse_runs(const std::string& name) {
  throw input_error(name +
                    ": is not a list of runs: objects with ranks and seconds, or with the ways or "
                    "results of an app's --json, a line each");
}

// Of several ways (`key` is what names them) the one that is meant.
const json& chosen(const std::string& name, const json& ways, const char* key,
                   const std::string& way) {
  std::vector<const json*> found;
  std::string names;
  for (const json& each : ways.elements()) {
    const std::string its_name = each.text_or(key, "");
    if (("," + names + ",").find("," + its_name + ",") == std::string::npos)
      names += (names.empty() ? "" : ",") + its_name;
    if (way.empty() || its_name == way) found.push_back(&each);
  }
  if (ways.elements().empty()) refuse_runs(name);
  if (found.empty())
    throw input_error(fmt::format("{}: has no way '{}': it has {}", name, way, names));
  if (found.size() > 1 && names.find(',') != std::string::npos && way.empty())
    throw input_error(fmt::format("{}: has several ways, {}: choose one by --way", name, names));
  if (found.size() > 1)
    throw input_error(
        fmt::format("{}: has several results of {} in a line: run it for one "
                    "percentage alone",
                    name, found.front()->text_or(key, "a way")));
  return *found.front();
}

// Nothing: the line tells no time.
std::optional<double> seconds_of(const std::string& name, const json& one, const std::string& way) {
  const auto number = [](const json& value) {
    return value.is_number() ? std::optional(value.as_double()) : std::nullopt;
  };
  if (one["seconds"].is_number() && way.empty()) return number(one["seconds"]);
  if (one["ways"].is_array()) return number(chosen(name, one["ways"], "way", way)["seconds"]);
  if (!one["results"].is_array()) {
    if (!way.empty()) throw input_error(name + ": has no ways to choose by --way " + way);
    return number(one["seconds"]);
  }
  const json& result = chosen(name, one["results"], "version", way);
  const auto edge_ns = number(result["ns_per_edge"]["median"]);
  const auto edges = number(one["edges_per_rank"]), iterations = number(one["iterations"]);
  if (!edge_ns || !edges || !iterations) return std::nullopt;
  return 1e-9 * *edge_ns * *edges * *iterations;
}

measured_run run_of(const std::string& name, const json& one, const std::string& way) {
  const json& ranks = one["ranks"];
  const std::optional<double> seconds = seconds_of(name, one, way);
  if (!ranks.is_number() || !seconds) refuse_runs(name);
  const double count = ranks.as_double(), time = *seconds;
  if (!(count >= 1) || count > kRanksMax || count != double(unsigned(count)) || !(time > 0) ||
      time > 1e9)
    throw input_error(fmt::format("{}: a run of {} ranks in {} s cannot be", name, count, time));
  return {unsigned(count), 1e9 * time};
}

}  // namespace

double error_of(double predicted_ns, double measured_ns) { return predicted_ns / measured_ns - 1; }

std::vector<measured_run> read_runs(const std::string& name, const std::string& text,
                                    const std::string& way) {
  std::map<unsigned, std::vector<double>> times;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::optional<json> one = json::parse(line);
    if (!one || !one->is_object()) refuse_runs(name);
    const measured_run run = run_of(name, *one, way);
    times[run.ranks].push_back(run.time_ns);
  }
  std::vector<measured_run> runs;
  for (auto& [ranks, of_ranks] : times) {
    std::sort(of_ranks.begin(), of_ranks.end());
    const std::size_t half = of_ranks.size() / 2;
    const double below = of_ranks[of_ranks.size() % 2 != 0 ? half : half - 1];
    runs.push_back({ranks, (below + of_ranks[half]) / 2});
  }
  if (runs.empty()) throw input_error(name + ": has no runs");
  return runs;
}

void fit(skeleton& s, const machine& m, const std::vector<measured_run>& runs,
         const fit_progress& progress) {
  std::vector<double*> open;
  for (parameter& p : s.parameters)
    if (p.is_fitted) open.push_back(&p.value);
  if (open.empty())
    throw input_error(s.name + ": has no fitted parameter: there is nothing to fit");
  if (runs.size() < open.size())
    throw input_error(fmt::format("{} fitted parameters want as many runs, and there are {}",
                                  open.size(), runs.size()));
  misfit error(m, runs, progress);
  double best = error.of(s);
  for (const double factor : kFactors) {
    bool is_better = true;
    for (unsigned round = 0; is_better && round < kRoundsMax; ++round) {
      is_better = false;
      for (double* const value : open)
        for (const double by : {factor, 1 / factor}) {
          const double before = *value;
          *value = std::clamp(before * by, kLeast, kMost);
          const double found = error.of(s);
          if (found < best) {
            best = found;
            is_better = true;
          } else {
            *value = before;
          }
        }
    }
  }
}

}  // namespace loggp
