// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <charconv>
#include <memory>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "failure.hpp"

namespace em3d {
namespace {

constexpr std::size_t kNodesMax = 10'000'000, kDegreeMax = 1000, kEdgesMax = 1'000'000'000;
constexpr unsigned kIterationsMax = 1'000'000, kRepeatsMax = 1000;
constexpr unsigned kUsualStep = 10;  // of a range of percentages

constexpr const char* kDescription =
    "EM3D: electromagnetic waves on a synthetic bipartite graph of E and H nodes, in the six\n"
    "versions of Arpaci et al. 1995. Prints the time per edge of each version against the\n"
    "percentage of edges that come from other ranks. Every run is checked against a serial one.\n";

constexpr const char* kFooter =
    "Examples:\n"
    "  ramjet run -n 4 em3d                                  all versions, all percentages\n"
    "  ramjet run -n 2 em3d --version bulk --remote 20       one of each\n"
    "  ramjet run -n 4 em3d --json > em3d.json               for plot.py\n"
    "  em3d                                                  one rank: nothing is remote\n";

// The values as they were typed: our own checks tell better what is wrong.
struct typed {
  std::string version = "all", remote = "0,10..100";
  std::string nodes, degree, iterations, repeats, seed;
};

class help_formatter : public CLI::Formatter {
 public:
  help_formatter() { column_width(26); }
  std::string make_usage(const CLI::App*, std::string) const override {
    return "Usage: em3d [options]\n";
  }
};

template <class Number>
bool read_number(std::string_view word, Number& number) {
  const char *begin = word.data(), *end = begin + word.size();
  const auto [stop, problem] = std::from_chars(begin, end, number);
  return problem == std::errc{} && stop == end;
}

std::string names_of_versions() {
  std::string names;
  for (const version& v : kVersions) names += std::string(v.name) + ", ";
  return names + "all";
}

void declare(CLI::App& app, options& o, typed& t) {
  app.formatter(std::make_shared<help_formatter>());
  app.footer(kFooter);
  app.option_defaults()->take_last();
  app.add_option("--version", t.version, names_of_versions() + "; all without this")
      ->type_name("V");
  app.add_option(
         "--nodes", t.nodes,
         fmt::format("nodes on each rank, half of them E and half H: an even number; {}", o.nodes))
      ->type_name("N");
  app.add_option("--degree", t.degree, fmt::format("edges that lead to each node; {}", o.degree))
      ->type_name("D");
  app.add_option("--remote", t.remote,
                 "percentages of edges that come from other ranks, ascending: 20 or 0,5,50 or\n"
                 "0,10..100, which goes on in steps of 10; " +
                     t.remote)
      ->type_name("PERCENT");
  app.add_option("--iterations", t.iterations, fmt::format("time steps of a run; {}", o.iterations))
      ->type_name("I");
  app.add_option("--repeats", t.repeats,
                 fmt::format("runs of each version, in rounds over all; their median counts; {}",
                             o.repeats))
      ->type_name("R");
  app.add_option("--seed", t.seed, fmt::format("of the graph and the first values; {}", o.seed))
      ->type_name("S");
  app.add_flag("--json", o.json, "print one JSON object");
}

std::string read_version(const std::string& word, std::vector<version>& versions) {
  for (const version& v : kVersions)
    if (word == "all" || word == v.name) versions.push_back(v);
  if (!versions.empty()) return {};
  return fmt::format("--version {}: the versions are {}", word, names_of_versions());
}

// Appends the percentage, or the range FROM..TO. False if it is none, or does not ascend.
bool read_percents(std::string_view word, std::vector<unsigned>& percents) {
  const std::size_t dots = word.find("..");
  unsigned from = 0;
  if (!read_number(word.substr(0, dots), from)) return false;
  unsigned to = from;
  if (dots != word.npos && !read_number(word.substr(dots + 2), to)) return false;
  if (from > to || to > 100 || (!percents.empty() && from <= percents.back())) return false;
  const unsigned step = percents.empty() ? kUsualStep : from - percents.back();
  for (unsigned percent = from; percent <= to; percent += step) percents.push_back(percent);
  return true;
}

std::string read_remote(std::string_view word, std::vector<unsigned>& percents) {
  for (std::string_view rest = word;;) {
    const std::size_t comma = rest.find(',');
    if (!read_percents(rest.substr(0, comma), percents))
      return fmt::format(
          "--remote {}: give percentages from 0 to 100, ascending, as 0,20,50 or "
          "0,10..100",
          word);
    if (comma == rest.npos) return {};
    rest = rest.substr(comma + 1);
  }
}

// Leaves the number as it is if nothing was typed.
template <class Number>
std::string read_in(const char* option, const std::string& word, Number least, Number most,
                    Number& number) {
  if (word.empty()) return {};
  if (read_number(word, number) && number >= least && number <= most) return {};
  return fmt::format("{} {}: give a whole number from {} to {}", option, word, least, most);
}

// Fills in the options. Returns what is wrong; empty if nothing is.
std::string interpret(const typed& t, options& o) {
  for (std::string wrong : {
           read_version(t.version, o.versions),
           read_in("--nodes", t.nodes, std::size_t{2}, kNodesMax, o.nodes),
           read_in("--degree", t.degree, std::size_t{1}, kDegreeMax, o.degree),
           read_remote(t.remote, o.remote_percents),
           read_in("--iterations", t.iterations, 1u, kIterationsMax, o.iterations),
           read_in("--repeats", t.repeats, 1u, kRepeatsMax, o.repeats),
           read_in("--seed", t.seed, std::uint64_t{0}, ~std::uint64_t{0}, o.seed),
       })
    if (!wrong.empty()) return wrong;
  if (o.nodes % 2 != 0)
    return fmt::format("--nodes {}: must be even, one half are E nodes; try {} or {}", o.nodes,
                       o.nodes - 1, o.nodes + 1);
  if (o.nodes * o.degree > kEdgesMax)
    return fmt::format("{} nodes of degree {} are more than {} edges a rank", o.nodes, o.degree,
                       kEdgesMax);
  return {};
}

// Reads the words into `o`. Returns what is wrong; empty if nothing is, or help is asked for.
std::string parse(CLI::App& app, const typed& t, options& o, int argc, char** argv, bool& help) {
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]).starts_with("--json=")) return "--json takes no value";
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    help = true;
    return {};
  } catch (const CLI::ExtrasError&) {
    return fmt::format("unknown option '{}'", app.remaining().front());
  } catch (const CLI::ArgumentMismatch&) {
    return fmt::format("{} needs a value", argv[argc - 1]);  // the words ran out
  } catch (const CLI::ParseError& e) {
    return e.what();
  }
  return interpret(t, o);
}

}  // namespace

std::optional<options> read_options(int argc, char** argv, std::string& message, int& exit_status) {
  options o;
  typed t;
  CLI::App app{kDescription, "em3d"};
  declare(app, o, t);
  bool help = false;
  const std::string wrong = parse(app, t, o, argc, argv, help);
  if (!help && wrong.empty()) return o;
  exit_status = help ? 0 : kExitUsage;
  message = help ? app.help() : fmt::format("em3d: {} (see em3d --help)\n", wrong);
  return std::nullopt;
}

}  // namespace em3d
