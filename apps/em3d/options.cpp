// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "../measured/command_line.hpp"

namespace em3d {
namespace {

constexpr std::uint64_t kNodesMax = 10'000'000, kDegreeMax = 1000, kEdgesMax = 1'000'000'000;
constexpr std::uint64_t kIterationsMax = 1'000'000, kRepeatsMax = 1000;
constexpr unsigned kUsualStep = 10;  // of a range of percentages

constexpr const char* kDescription =
    "EM3D: electromagnetic waves on a synthetic bipartite graph of E and H nodes, in the six\n"
    "versions of Arpaci et al. 1995. Prints the time per edge of each version against the\n"
    "percentage of edges that come from other ranks. Every run is checked against a serial one.\n"
    "Numbers may be typed as 1e4.\n";

constexpr const char* kExamples =
    "Examples:\n"
    "  ramjet run -n 4 em3d                                  all versions, all percentages\n"
    "  ramjet run -n 2 em3d --version bulk --remote 20       one of each\n"
    "  ramjet run -n 4 em3d --json > em3d.json               for apps/em3d/plot.py\n"
    "  em3d                                                  one rank: nothing is remote\n";

constexpr const char* kAllVersions = "all";
constexpr const char* kAllPercents = "0,10..100";

std::string names_of_versions() {
  std::string names;
  for (const version& v : kVersions) names += std::string(v.name) + ", ";
  return names + kAllVersions;
}

std::vector<version> versions_of(const std::string& word) {
  std::vector<version> versions;
  for (const version& v : kVersions)
    if (word == kAllVersions || word == v.name) versions.push_back(v);
  if (!versions.empty()) return versions;
  throw measured::usage_error(
      fmt::format("--version {}: the versions are {}", word, names_of_versions()));
}

bool read_percent(std::string_view word, unsigned& percent) {
  std::uint64_t number = 0;
  if (!measured::read_number(word, number) || number > 100) return false;
  percent = static_cast<unsigned>(number);
  return true;
}

// Appends the percentage, or the range FROM..TO. False if it is neither, or does not ascend.
bool read_percents(std::string_view word, std::vector<unsigned>& percents) {
  const std::size_t dots = word.find("..");
  unsigned from = 0;
  if (!read_percent(word.substr(0, dots), from)) return false;
  unsigned to = from;
  if (dots != word.npos && !read_percent(word.substr(dots + 2), to)) return false;
  if (from > to || (!percents.empty() && from <= percents.back())) return false;
  const unsigned step = percents.empty() ? kUsualStep : from - percents.back();
  for (unsigned percent = from; percent <= to; percent += step) percents.push_back(percent);
  return true;
}

std::vector<unsigned> percents_of(std::string_view word) {
  std::vector<unsigned> percents;
  for (std::string_view rest = word;;) {
    const std::size_t comma = rest.find(',');
    if (!read_percents(rest.substr(0, comma), percents))
      throw measured::usage_error(
          fmt::format("--remote {}: give percentages from 0 to 100, ascending, as 0,20,50 or {}",
                      word, kAllPercents));
    if (comma == rest.npos) return percents;
    rest = rest.substr(comma + 1);
  }
}

void check(const options& o) {
  if (o.nodes % 2 != 0)
    throw measured::usage_error(
        fmt::format("--nodes {}: must be even, one half are E nodes; try {} or {}", o.nodes,
                    o.nodes - 1, o.nodes + 1));
  if (o.nodes * o.degree > kEdgesMax)
    throw measured::usage_error(fmt::format("{} nodes of degree {} are more than {} edges a rank",
                                            o.nodes, o.degree, kEdgesMax));
}

}  // namespace

options read_options(int argc, char** argv) {
  options o;
  o.versions = versions_of(kAllVersions);
  o.remote_percents = percents_of(kAllPercents);
  measured::command_line line("em3d", kDescription, kExamples);
  line.word("--version", "V", names_of_versions() + "; all without this",
            [&o](const std::string& word) { o.versions = versions_of(word); });
  line.number("--nodes", o.nodes, {.least = 2, .most = kNodesMax},
              "nodes on each rank, half of them E and half H: an even number");
  line.number("--degree", o.degree, {.most = kDegreeMax}, "edges that lead to each node", "D");
  line.word("--remote", "PERCENT",
            fmt::format("percentages of edges that come from other ranks, ascending: 20 or 0,5,50\n"
                        "or 0,10..100, which goes on in steps of 10; default {}",
                        kAllPercents),
            [&o](const std::string& word) { o.remote_percents = percents_of(word); });
  line.number("--iterations", o.iterations, {.most = kIterationsMax}, "time steps of a run", "I");
  line.number("--repeats", o.repeats, {.most = kRepeatsMax},
              "runs of each version, in rounds over all; their median counts", "R");
  line.number("--seed", o.seed, {.least = 0, .most = UINT64_MAX},
              "of the graph and the first values", "S");
  line.flag("--json", o.json, "print one JSON object, in one line");
  line.read(argc, argv);
  check(o);
  return o;
}

}  // namespace em3d
