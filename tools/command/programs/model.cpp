// SPDX-License-Identifier: Apache-2.0
// `ramjet model`: how long a program would take on more ranks, or on another machine, by simulating
// a skeleton of it or a trace.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/report.hpp"
#include "model_output.hpp"
#include "model_trace.hpp"
#include "tools/cli/text_file.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/output.hpp"
#include "tools/model/embedded.hpp"
#include "tools/model/fit.hpp"
#include "tools/model/parameters.hpp"
#include "tools/model/simulation.hpp"
#include "tools/model/skeleton.hpp"

namespace {

constexpr const char* kModel = "ramjet model";
constexpr const char* kFooter = R"(
WHAT is a skeleton that comes with the command (--list), a file with one (docs/model.md has the
notation), or a file of ramjet run --trace, which is simulated on the ranks that it has.

  ramjet characterize memory near far crowd --json > machine.json
  ramjet model stencil --machine machine.json --ranks-per-node 64 --ranks 1..1e6
  ramjet model em3d --machine machine.json --measured runs.json --fit 2..4 --json > em3d.json
  ramjet model solve.trace --machine machine.json --scale far.L=2)";

constexpr unsigned kRowsMax = 200;

volatile std::sig_atomic_t was_interrupted = 0;

struct request {
  std::string what;
  loggp::machine machine;
  std::string scaled;
  std::vector<unsigned> ranks;
  std::optional<std::pair<unsigned, unsigned>> fitted;  // from, to
  std::string measured, way;
  std::vector<std::string> settings;
  bool as_json = false;
  bool has_ranks = false;
  bool has_places = false;  // where the ranks are, or on how many cores
};

// What is wrong with the command line.
class bad_words : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

std::string text_of_file(const std::string& name) {
  std::string problem;
  std::optional<std::string> text = console::text_of_file(name, problem);
  if (!text) throw loggp::input_error(problem);
  return *std::move(text);
}

// --- Words of the command line ------------------------------------------------------------------

unsigned rank_count(const std::string& option, const std::string& word) {
  double value = 0;
  if (!console::read_number(word, value) || !(value >= 1) || value > loggp::kRanksMax ||
      value != std::floor(value))
    throw bad_words(
        fmt::format("{} {}: give numbers of ranks from 1 to {}", option, word, loggp::kRanksMax));
  return unsigned(value);
}

std::pair<unsigned, unsigned> rank_range(const std::string& option, const std::string& word) {
  const std::size_t dots = word.find("..");
  const unsigned first = rank_count(option, word.substr(0, dots));
  const unsigned last =
      dots == std::string::npos ? first : rank_count(option, word.substr(dots + 2));
  if (last < first)
    throw bad_words(fmt::format("{} {}: the larger number is the last", option, word));
  return {first, last};
}

// "2,64" or "1..1e6", which doubles from the first to the last.
std::vector<unsigned> rank_list(const std::string& words) {
  std::vector<unsigned> all;
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(',', at), words.size());
    const auto [first, last] = rank_range("--ranks", words.substr(at, end - at));
    at = end + 1;
    for (std::uint64_t ranks = first; ranks < last; ranks *= 2) all.push_back(unsigned(ranks));
    all.push_back(last);
    if (all.size() > kRowsMax) throw bad_words(fmt::format("--ranks: give at most {}", kRowsMax));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

unsigned count_of(const char* option, const std::string& word) {
  long long value = 0;
  if (!console::read_number(word, value) || value < 1 || value > loggp::kRanksMax)
    throw bad_words(
        fmt::format("{} {}: give a number from 1 to {}", option, word, loggp::kRanksMax));
  return unsigned(value);
}

// What the command line says of the machine.
struct machine_words {
  std::string file, parameters, cores, ranks_per_node;
};

loggp::machine machine_of(const machine_words& words) {
  loggp::machine m;
  if (words.file.empty() && words.parameters.empty())
    throw bad_words(
        "name the machine: run `ramjet characterize memory near far crowd --json > machine.json` "
        "and give --machine machine.json, or give --parameters L=...,o=...,g=...,G=...");
  if (!words.file.empty()) {
    const std::string text = text_of_file(words.file);
    const std::optional<console::json> file = console::json::parse(text);
    if (!file)
      throw loggp::input_error(words.file +
                               ": is not complete JSON: it is damaged, cut, or not one of ours");
    loggp::read_characterization(words.file, *file, m);
  }
  if (!words.parameters.empty()) loggp::read_assignments(words.parameters, m);
  if (!words.cores.empty()) m.cores = words.cores == "all" ? 0 : count_of("--cores", words.cores);
  if (!words.ranks_per_node.empty())
    m.ranks_per_node = count_of("--ranks-per-node", words.ranks_per_node);
  return m;
}

int list_skeletons() {
  std::string text;
  for (const std::string_view name : loggp::kShipped) {
    const std::string file = std::string(name) + ".skeleton";
    const loggp::skeleton s = loggp::parse_skeleton(file, loggp::embedded(file));
    text += fmt::format("{:10} {}\n", s.name, s.about);
  }
  return tools::print(text);
}

std::string skeleton_text(const std::string& what) {
  const std::string_view shipped = loggp::embedded(what + ".skeleton");
  return shipped.empty() ? text_of_file(what) : std::string(shipped);
}

void check_is_there(const std::string& what) {
  if (!loggp::embedded(what + ".skeleton").empty() || ::access(what.c_str(), R_OK) == 0) return;
  throw loggp::input_error(fmt::format(
      "cannot read {}: {}; --list shows the skeletons that there are", what, std::strerror(errno)));
}

std::optional<int> read_command_line(int argc, char** argv, request& out) {
  console::command_line line(
      kModel,
      "Says how long a program would take on other numbers of ranks, or on another machine, by\n"
      "simulating its messages (LogGP).",
      "usage: ramjet model [options] WHAT", kFooter);
  machine_words machine;
  std::string ranks, fitted;
  std::vector<std::string> what;
  bool lists = false, shows = false;
  line.positional("WHAT", "a skeleton's name, a file with a skeleton, or a trace", what);
  line.word("--machine", "FILE",
            "the machine: what ramjet characterize memory near far crowd --json prints",
            machine.file);
  line.word("--parameters", "LIST",
            "costs in ns instead of those, or without: L=300,o=20,g=10,G=0.1; "
            "near.L and far.L for one kind of messages; o_s and o_r for one half of o",
            machine.parameters);
  line.word("--scale", "LIST", "multiply costs: far.L=2,G=0.5", out.scaled);
  line.word("--ranks", "LIST", "numbers of ranks: 2,64 or 1..1e6, which doubles (default: 1..1024)",
            ranks);
  line.word("--ranks-per-node", "N", "ranks that share memory (default: all)",
            machine.ranks_per_node);
  line.word("--cores", "N|all", "cores of a node, all: one for each rank (default: the machine's)",
            machine.cores);
  line.words("--set", "NAME=VALUE", "a parameter of the skeleton; may be repeated", out.settings);
  line.word("--measured", "RUNS",
            "runs to compare with: objects of JSON with ranks and seconds, or what an app prints "
            "with --json, a line each",
            out.measured);
  line.word("--way", "NAME", "of runs with several ways (em3d: versions), the one that counts",
            out.way);
  line.word("--fit", "N..M", "fit the skeleton's costs to the measured runs of N to M ranks",
            fitted);
  line.flag("--json", "print one JSON object, for ramjet report", out.as_json);
  line.flag("--list", "list the skeletons that come with the command, and end", lists);
  line.flag("--print", "print the text of the skeleton, and end", shows);
  if (const auto status = tools::read(kModel, line, argc, argv)) return status;
  if (lists) return list_skeletons();
  if (what.size() != 1) throw bad_words("name one skeleton or trace; --list shows what there is");
  out.what = what.front();
  if (shows) return tools::print(skeleton_text(out.what));
  out.has_ranks = !ranks.empty();
  out.ranks = rank_list(out.has_ranks ? ranks : "1..1024");
  if (!fitted.empty()) out.fitted = rank_range("--fit", fitted);
  if (out.fitted && out.measured.empty())
    throw bad_words("--fit wants runs: name their file by --measured");
  if (!out.way.empty() && out.measured.empty())
    throw bad_words("--way chooses among runs: name their file by --measured");
  check_is_there(out.what);
  out.machine = machine_of(machine);
  out.has_places = !machine.ranks_per_node.empty() || !machine.cores.empty();
  if (!out.scaled.empty()) {
    loggp::machine tried = out.machine;
    loggp::scale(out.scaled, tried);
  }
  return std::nullopt;
}

// --- Simulating ---------------------------------------------------------------------------------

loggp::outcome simulated(const loggp::machine& m, loggp::program& p, unsigned ranks) {
  const auto progress = [&](double done, std::uint64_t steps) {
    bench::show_progress(fmt::format("{} ranks: {:3.0f} %, {:.1f} million operations", ranks,
                                     100 * done, double(steps) / 1e6));
    return was_interrupted == 0;
  };
  const loggp::outcome o = loggp::simulate(m, p, {.ranks = ranks, .progress = progress});
  if (was_interrupted != 0) throw loggp::interrupted();
  return o;
}

void fit_to(const std::vector<loggp::measured_run>& runs, const loggp::machine& m,
            loggp::skeleton& s) {
  using clock = std::chrono::steady_clock;
  clock::time_point next{};
  loggp::fit(s, m, runs, [&next](std::uint64_t simulations) {
    if (clock::now() >= next) {
      bench::show_progress(fmt::format("fitting: {} simulations", simulations));
      next = clock::now() + std::chrono::milliseconds(100);
    }
    return was_interrupted == 0;
  });
}

// A cost that is not known is not simulated.
void note_turns(const loggp::machine& m, unsigned ranks_most, std::vector<std::string>& notes) {
  if (m.is_crowded(ranks_most) && m.turns.empty())
    notes.emplace_back(
        "Ranks outnumber the cores, and what a turn of a core costs is not known: it counts as "
        "nothing. `ramjet characterize crowd` measures it.");
  if (m.is_crowded(ranks_most) && !m.turns.empty() && m.on_node(ranks_most) > m.turns.back().first)
    notes.emplace_back(fmt::format(
        "What a turn of a core costs was measured with up to {} ranks; with more it counts as with "
        "these.",
        m.turns.back().first));
}

void note_curves(const loggp::skeleton& s, const loggp::machine& m, unsigned ranks_most,
                 std::vector<std::string>& notes) {
  const auto uses = [&](loggp::expression_kind k) {
    return std::any_of(s.nodes.begin(), s.nodes.end(), [k](const auto& n) { return n.kind == k; });
  };
  if ((uses(loggp::expression_kind::gather) && m.gathers.empty()) ||
      (uses(loggp::expression_kind::touch) && m.first_touch_ns == 0))
    notes.emplace_back(
        "What reads at random places and first uses of memory cost is not known: it counts as "
        "nothing. `ramjet characterize memory` measures it.");
  const bool exchanges = std::any_of(s.steps.begin(), s.steps.end(), [](const auto& step) {
    return step.op == loggp::op_kind::exchange;
  });
  if (exchanges && !m.bytes.empty() && m.on_node(ranks_most) > m.bytes.back().first)
    notes.emplace_back(fmt::format(
        "What a byte costs where all send to all was measured with up to {} ranks; with more it "
        "counts as with these.",
        m.bytes.back().first));
}

tools::model_result model_skeleton(const request& wish) {
  loggp::skeleton s = loggp::parse_skeleton(wish.what, skeleton_text(wish.what));
  for (const std::string& each : wish.settings) s.set(each);
  std::vector<loggp::measured_run> runs;
  if (!wish.measured.empty())
    runs = loggp::read_runs(wish.measured, text_of_file(wish.measured), wish.way);
  const auto is_fitted = [&](unsigned ranks) {
    return wish.fitted && ranks >= wish.fitted->first && ranks <= wish.fitted->second;
  };
  if (wish.fitted) {
    std::vector<loggp::measured_run> few;
    std::copy_if(runs.begin(), runs.end(), std::back_inserter(few),
                 [&](const loggp::measured_run& r) { return is_fitted(r.ranks); });
    fit_to(few, wish.machine, s);
  }
  tools::model_result result{s.name, s.about, wish.machine, s.parameters, {}, {}};
  if (!wish.scaled.empty()) loggp::scale(wish.scaled, result.machine);
  std::vector<unsigned> all = wish.has_ranks || runs.empty() ? wish.ranks : std::vector<unsigned>{};
  for (const loggp::measured_run& run : runs) all.push_back(run.ranks);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  for (const unsigned ranks : all) {
    const auto p = loggp::program_of(s, result.machine, ranks);
    tools::prediction row;
    row.ranks = ranks;
    row.simulated = simulated(result.machine, *p, ranks);
    for (const loggp::measured_run& run : runs)
      if (run.ranks == ranks) row.measured_ns = run.time_ns;
    row.is_fitted = row.measured_ns && is_fitted(ranks);
    result.rows.push_back(row);
  }
  note_turns(result.machine, all.back(), result.notes);
  note_curves(s, result.machine, all.back(), result.notes);
  return result;
}

tools::model_result model_trace(const request& wish) {
  if (wish.has_ranks || wish.has_places || !wish.settings.empty() || !wish.measured.empty())
    throw bad_words(
        "a trace has its ranks, and they their places: --ranks, --ranks-per-node, --cores, --set, "
        "--measured and --fit are for skeletons");
  const traces::job_trace job = traces::read_trace(wish.what);
  if (job.sample != 1)
    throw loggp::input_error(fmt::format("{}: has one message of {}: trace without --trace-sample",
                                         wish.what, job.sample));
  tools::model_result result;
  result.name = job.program.empty() ? wish.what : job.program;
  result.machine = wish.machine;
  result.machine.cores = 0;  // times are as long as the cores' sharing made them
  result.machine.ranks_per_node = job.nodes > 1 ? (job.ranks + job.nodes - 1) / job.nodes : 0;
  tools::traced_program program(job, result.machine);
  const auto add = [&](const char* name, const loggp::machine& m) {
    program.rewind();
    tools::prediction row;
    row.ranks = job.ranks;
    row.name = name;
    row.simulated = simulated(m, program, job.ranks);
    row.measured_ns = program.traced_ns();
    result.rows.push_back(row);
  };
  add("as given", result.machine);
  if (!wish.scaled.empty()) {
    loggp::machine scaled = result.machine;
    loggp::scale(wish.scaled, scaled);
    add("scaled", scaled);
    result.rows.back().measured_ns.reset();
  }
  result.about = fmt::format("traced on {} ranks, {} messages that waits end by", job.ranks,
                             program.messages());
  const double all_ns = program.traced_ns() * job.ranks;
  if (program.unexplained_ns() > 0.01 * all_ns)
    result.notes.push_back(
        fmt::format("{:.0f} % of the ranks' time are waits that no message of the trace ends: they "
                    "stay as long as they were.",
                    100 * program.unexplained_ns() / all_ns));
  if (job.lost() > 0 || job.is_cut || job.is_partial)
    result.notes.emplace_back("The trace is not whole: what it lacks is not simulated.");
  return result;
}

int model(const request& wish) {
  std::signal(SIGINT, [](int) { was_interrupted = 1; });
  const bool is_traced = traces::is_trace(wish.what);
  const tools::model_result result = is_traced ? model_trace(wish) : model_skeleton(wish);
  bench::show_progress("");
  return tools::print(wish.as_json ? tools::json_of(result).dump(1) + "\n"
                                   : tools::text_of(result));
}

int fail(const char* what) {
  bench::show_progress("");
  return tools::fail(kModel, what);
}

}  // namespace

int model_command(int argc, char** argv) {
  request wish;
  try {
    if (const auto status = read_command_line(argc, argv, wish)) return *status;
    return model(wish);
  } catch (const bad_words& wrong) {
    return tools::refuse(kModel, wrong.what());
  } catch (const loggp::interrupted&) {
    bench::show_progress("");
    return 130;
  } catch (const loggp::assignment_error& wrong) {
    return tools::refuse(kModel, wrong.what());
  } catch (const loggp::input_error& wrong) {
    return fail(wrong.what());
  } catch (const loggp::stuck& wrong) {
    return fail(wrong.what());
  } catch (const traces::bad_trace& wrong) {
    return fail(wrong.what());
  }
}
