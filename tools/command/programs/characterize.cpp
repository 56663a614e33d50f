// SPDX-License-Identifier: Apache-2.0
// `ramjet characterize`: measures this machine by the probes in tools/characterize/. The probes of
// two ranks run as jobs of its own executable.
#include <fmt/format.h>
#include <hwloc.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/cpus.hpp"
#include "base/profile_file.hpp"
#include "characterize_choices.hpp"
#include "characterize_probe_job.hpp"
#include "characterize_ranks.hpp"
#include "harness/report.hpp"
#include "ramjet/ramjet.hpp"
#include "tools/characterize/drift.hpp"
#include "tools/characterize/memory/hierarchy.hpp"
#include "tools/characterize/remote/crowd.hpp"
#include "tools/characterize/report/choices.hpp"
#include "tools/characterize/report/sentences.hpp"
#include "tools/command/affinity.hpp"
#include "tools/command/command_line.hpp"
#include "tools/command/commands.hpp"
#include "tools/command/environment.hpp"
#include "tools/command/output.hpp"
#include "tools/pages/document.hpp"

namespace {

using console::json;

constexpr const char* kName = "ramjet characterize";
constexpr const char* kQuickWorker = "quick";
constexpr const char* kCrowdWorker = "--crowd-worker";
constexpr const char* kBarriersAlone = "--barriers-alone";
constexpr std::size_t kArrayMost = std::size_t{256} << 20;
constexpr std::size_t kQuickArrayMost = std::size_t{64} << 20;

struct request {
  bool quick = false;
  bool as_json = false;
  bool checks = false;
  bool stores = true;
  bool replaces = false;  // whatever profile there is
  std::uint64_t seed = 1;
  std::string hosts;  // two, for the part far; empty: this machine plays them
  std::vector<std::string> parts;  // empty: all

  bool wants(const std::string& part) const {
    return parts.empty() || std::find(parts.begin(), parts.end(), part) != parts.end();
  }
};

const std::vector<std::string> kParts = {"memory", "near", "far", "crowd", "choices"};

// --- This core's memory -------------------------------------------------------------------------

// What hwloc says of the caches of the CPU that this runs on.
characterize::description described() {
  characterize::description said;
  said.page_bytes = std::size_t(::sysconf(_SC_PAGESIZE));
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return said;
  if (hwloc_topology_load(topology) == 0) {
    hwloc_obj_t at = hwloc_get_pu_obj_by_os_index(topology, unsigned(::sched_getcpu()));
    for (; at != nullptr; at = at->parent)
      if (hwloc_obj_type_is_dcache(at->type)) {
        const auto& cache = at->attr->cache;
        said.data_caches.push_back(
            {std::size_t(cache.size), cache.linesize, unsigned(std::max(cache.associativity, 0))});
      }
  }
  hwloc_topology_destroy(topology);
  return said;
}

characterize::memory_plan memory_plan(const request& wish) {
  characterize::memory_plan plan;
  const std::size_t available = ramjet::base::usable_memory() / 8;
  plan.bytes_most = std::min(wish.quick ? kQuickArrayMost : kArrayMost, available);
  plan.seed = wish.seed;
  if (wish.quick) {
    plan.reads = 50'000;
    plan.each = tools::kQuickPatience;
  }
  return plan;
}

void show_memory_progress(const std::string& part, double done) {
  bench::show_progress(fmt::format("{:3.0f} %  memory: {}", 100 * done, part));
}

// --- Many ranks ---------------------------------------------------------------------------------

std::optional<characterize::crowd_costs> crowd_costs(const request& wish, unsigned ranks,
                                                     bool with_bytes, int& status) {
  bench::show_progress(fmt::format("{} ranks on {} cores", ranks, ramjet::base::usable_cpus()));
  tools::probe_job job{.words = {kCrowdWorker, std::to_string(ramjet::base::usable_cpus())},
                       .ranks = ranks};
  if (!with_bytes || characterize::memory_of_rings(ranks) > ramjet::base::usable_memory() / 4)
    job.words.emplace_back(kBarriersAlone);
  if (wish.quick) job.words.emplace_back(kQuickWorker);
  const std::optional<json> found = tools::results_of(job, kName, status);
  if (!found) return std::nullopt;
  return characterize::crowd_costs{.barrier_ns = (*found)["barrier_ns"].as_double(),
                                   .byte_ns = (*found)["byte_ns"].as_double()};
}

// Two ranks, four, and so on; then twice as many as cores, four times as many, and so on.
std::vector<unsigned> crowds(unsigned crowded) {
  constexpr unsigned kCrowdMost = 64;
  std::vector<unsigned> all;
  for (unsigned ranks = 2; ranks < crowded; ranks *= 2) all.push_back(ranks);
  for (unsigned ranks = crowded; ranks <= std::max(kCrowdMost, crowded); ranks *= 2)
    all.push_back(ranks);
  return all;
}

// The barrier of the first crowd of more ranks than cores is measured again behind the last.
std::optional<json> crowd_results(const request& wish, int& status) {
  const unsigned crowded = 2 * std::max(1u, ramjet::base::usable_cpus());
  characterize::drift_watch drift;
  json barriers = json::array(), bytes = json::array();
  for (const unsigned ranks : crowds(crowded)) {
    const std::optional<characterize::crowd_costs> costs = crowd_costs(wish, ranks, true, status);
    if (!costs) return std::nullopt;
    if (costs->byte_ns > 0) bytes.push_back({double(ranks), costs->byte_ns});
    if (ranks == crowded) drift.note(costs->barrier_ns);
    if (ranks >= crowded) barriers.push_back({double(ranks), costs->barrier_ns});
  }
  const auto again = crowd_costs(wish, crowded, false, status);
  if (!again) return std::nullopt;
  drift.note(again->barrier_ns);
  return json{{"drift", drift.ratio()}, {"barriers", barriers}, {"bytes", bytes}};
}

std::string crowd_text(const json& crowd) {
  std::string text = "Many ranks\n  More ranks than cores: a barrier takes";
  for (const json& each : crowd["barriers"].elements())
    text += fmt::format(" {} us of {} ranks,", pages::number(each.elements()[1].as_double() / 1e3),
                        each.elements()[0].as_double());
  text.back() = '.';
  if (!crowd["bytes"].elements().empty()) {
    text += "\n  A byte of a message takes of a processor, where all send to all:";
    for (const json& each : crowd["bytes"].elements())
      text += fmt::format(" {:.2f} ns of {} ranks,", each.elements()[1].as_double(),
                          each.elements()[0].as_double());
    text.back() = '.';
  }
  return text + "\n" +
         characterize::drift_text(crowd["drift"].as_double(), characterize::kRankDrift);
}

// argv: the cores that all ranks have together; then kBarriersAlone and kQuickWorker, or not.
int crowd_worker(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const auto cores = unsigned(words.empty() ? 1 : std::atoi(words[0].c_str()));
  characterize::patience each;
  if (has(kQuickWorker)) each = {.width = 0.1, .samples_min = 3, .seconds = 0.1};
  ramjet::init(argc, argv);
  const characterize::crowd_costs costs =
      characterize::probe_crowd(cores, !has(kBarriersAlone), each);
  if (ramjet::rank() == 0)
    fmt::print("{}\n", json{{"barrier_ns", costs.barrier_ns}, {"byte_ns", costs.byte_ns}}.dump());
  std::fflush(stdout);
  ramjet::finalize();
  return 0;
}

// --- Choices ------------------------------------------------------------------------------------

json json_of(const characterize::compared& found) {
  json each = json::array();
  for (const characterize::comparison& c : found.all) each.push_back(characterize::as_json(c));
  return {{"drift", found.measured.drift},
          {"steady", found.measured.drift <= characterize::kRankDrift},
          {"lost", found.measured.lost},
          {"compared", each}};
}

bool refuses_to_store(const std::string& problem, int& status) {
  fmt::print(stderr, "{}: {}; --no-profile measures and keeps nothing\n", kName, problem);
  status = 1;
  return false;
}

// False: there is no place for what is going to be measured, which has been said.
bool can_keep_choices(const request& wish, int& status) {
  if (!wish.stores || !wish.wants("choices")) return true;
  std::string problem;
  return ramjet::base::can_store_profile(ramjet::base::profile_path(), problem) ||
         refuses_to_store(problem, status);
}

ramjet::base::profile_quality quality_of(const request& wish, double drift) {
  using ramjet::base::kDriftPercentMax;
  const double percent = std::clamp(std::ceil(100 * drift - 1e-6), 100., double(kDriftPercentMax));
  return {wish.quick, std::uint64_t(percent)};
}

// Whether what was found may take the place of the profile that is there.
bool is_good_enough(const request& wish, const ramjet::base::profile_quality& quality) {
  if (wish.replaces || characterize::is_whole_and_steady(quality)) return true;
  const ramjet::base::found_profile before = ramjet::base::find_profile("");
  return !before.is_used || !characterize::is_whole_and_steady(before.quality);
}

std::string kept_text(bool is_kept, const std::string& path) {
  return is_kept ? fmt::format("  kept as {}\n", path)
                 : "  not kept: the profile that is there was measured whole, on a steady machine; "
                   "with --replace another one takes its place\n";
}

// Empty: they may be kept. Otherwise why not, which has been said.
std::string refusal(const request& wish, const characterize::conditions& measured) {
  if (!wish.stores || wish.replaces) return "";
  std::string why = characterize::why_not_kept(measured);
  if (!why.empty())
    fmt::print(stderr,
               "{}: the profile is not kept: {}; run again on a quieter machine (--replace keeps "
               "it all the same)\n",
               kName, why);
  return why;
}

// Measures them, and keeps them. False: a job failed, or they cannot be kept, which has been said.
// True with a status that is not 0: they are not good enough.
bool characterize_choices(const request& wish, json& all, std::string& text, int& status) {
  const bool keeps = wish.stores && !wish.replaces;
  const auto compared = tools::compare_choices({.quick = wish.quick, .keeps = keeps}, status);
  if (!compared) return false;
  const double drift = compared->measured.drift;
  ramjet::base::found_profile found;
  found.profile = tools::profile_of(compared->all);
  found.path = ramjet::base::profile_path();
  found.quality = quality_of(wish, drift);
  const std::string refused = refusal(wish, compared->measured);
  if (!refused.empty()) status = 1;
  const bool is_kept = wish.stores && refused.empty() && is_good_enough(wish, found.quality);
  if (std::string problem;
      is_kept && !ramjet::base::store_profile(found.profile, found.quality, found.path, problem))
    return refuses_to_store(problem, status);
  if (is_kept) found = ramjet::base::find_profile("");
  all["choices"] = json_of(*compared);
  all["choices"]["kept"] = is_kept;
  all["choices"]["refused"] = refused.empty() ? json() : json(refused);
  all["choices"]["profile"] = characterize::as_json(found);
  text += (text.empty() ? "" : "\n") + characterize::choices_text(found) +
          characterize::drift_text(drift, characterize::kRankDrift);
  if (wish.stores && refused.empty()) text += kept_text(is_kept, found.path);
  return true;
}

int check_choices(const request& wish) {
  int status = 0;
  const auto compared = tools::compare_choices({.quick = wish.quick, .checks = true}, status);
  if (!compared) return status;
  if (wish.as_json) return tools::print(json_of(*compared).dump(2) + "\n");
  return tools::print(characterize::check_text(compared->all) +
                      characterize::drift_text(compared->measured.drift, characterize::kRankDrift));
}

// --- Command line -------------------------------------------------------------------------------

constexpr const char* kFooter = R"(
Parts: memory (this core's caches, lines, pages, by latencies alone, beside what the system says),
near (messages, accesses and bulk transfers between two ranks of this machine), far (between two
ranks that share no memory, by the loopback network, or of the hosts that --hosts names), crowd
(barriers of more ranks than there are cores, by which ramjet model knows what turns of a core cost,
and messages of all ranks to all) and choices (the sizes from which on another way is faster: they
are kept as this machine's profile, by which jobs choose from then on; see ramjet info --profile).
It takes some minutes, with --quick some seconds. Run it on a quiet machine: a profile is not kept,
and the exit status is 1, if the machine's pace changed by more than 100 % meanwhile, or if other
programs took more than 25 % of the ranks' processor time.

  ramjet characterize --quick
  ramjet characterize memory --json > memory.json)";

std::optional<int> read_command_line(int argc, char** argv, request& out) {
  console::command_line line(kName, "Finds out what this machine does, by measuring it.",
                             "usage: ramjet characterize [options] [PART...]", kFooter);
  std::string seed;
  line.positional("PART", "memory, near, far, crowd, choices; all of them without this", out.parts);
  line.flag("--quick", "fewer sizes and samples", out.quick);
  line.flag("--json", "print one JSON object; times in nanoseconds, sizes in bytes", out.as_json);
  line.flag("--check", "compare the profile's choices with the other ways, at each size",
            out.checks);
  bool no_profile = false;
  line.flag("--no-profile", "do not keep what was found as this machine's profile", no_profile);
  line.flag("--replace",
            "keep it in the place of any profile, also one that was measured better, and even if "
            "the machine was too busy",
            out.replaces);
  line.word("--seed", "N", "of the orders in which memory is read; without this 1", seed);
  line.word("--hosts", "A,B", "measure the part far between these, by srun, mpirun or prterun",
            out.hosts);
  if (const auto status = tools::read(kName, line, argc, argv)) return status;
  if (!out.hosts.empty() &&
      (std::count(out.hosts.begin(), out.hosts.end(), ',') != 1 || !out.wants("far") || out.checks))
    return tools::refuse(kName,
                         fmt::format("--hosts {}: name two hosts, for the part far", out.hosts));
  for (const std::string& part : out.parts)
    if (std::find(kParts.begin(), kParts.end(), part) == kParts.end())
      return tools::refuse(
          kName,
          fmt::format("there is no part '{}': it is memory, near, far, crowd or choices", part));
  if (out.checks && (!out.parts.empty() || no_profile || out.replaces))
    return tools::refuse(
        kName, "--check measures the choices alone: give no part, no --no-profile, no --replace");
  if (out.replaces && no_profile)
    return tools::refuse(kName, "--replace keeps, and --no-profile does not: give one of them");
  out.stores = !no_profile;
  long long number = 1;
  if (!seed.empty() && (!console::read_number(seed, number) || number < 0))
    return tools::refuse(kName, fmt::format("--seed {}: give a number from 0 on", seed));
  out.seed = std::uint64_t(number);
  return std::nullopt;
}

json machine() {
  const json all = tools::describe_environment();
  return {{"processor", all["machine"]["processor"]},
          {"usable_cores", all["limits"]["usable_cores"]},
          {"kernel", all["kernel"]["release"]},
          {"commit", all["build"]["commit"]}};
}

}  // namespace

int characterize_command(int argc, char** argv) {
  if (argc > 1 && std::strcmp(argv[1], tools::kPairWorker) == 0)
    return tools::pair_worker(argc - 2, argv + 2);
  if (argc > 1 && std::strcmp(argv[1], tools::kSilentWorker) == 0)
    return tools::silent_worker(argc - 2, argv + 2);
  if (argc > 1 && std::strcmp(argv[1], tools::kChoiceWorker) == 0)
    return tools::choice_worker(argc - 2, argv + 2);
  if (argc > 1 && std::strcmp(argv[1], kCrowdWorker) == 0) return crowd_worker(argc - 2, argv + 2);
  request wish;
  if (const auto status = read_command_line(argc, argv, wish)) return *status;
  if (wish.checks) return check_choices(wish);
  if (int status = 0; !can_keep_choices(wish, status)) return status;
  json all = {{"version", 1}, {"machine", machine()}, {"quick", wish.quick}, {"seed", wish.seed}};
  if (!wish.hosts.empty()) all["hosts"] = wish.hosts;
  std::string text;
  if (wish.wants("memory")) {
    const tools::affinity_limit here({::sched_getcpu()});
    const characterize::description said = described();
    const auto results = characterize::probe_memory(memory_plan(wish), show_memory_progress);
    bench::show_progress("");
    all["memory"] = characterize::as_json(results, said);
    text += characterize::text_of(results, said);
  }
  if (const tools::rank_request ranks{.quick = wish.quick,
                                      .near = wish.wants("near"),
                                      .far = wish.wants("far"),
                                      .hosts = wish.hosts};
      ranks.near || ranks.far) {
    int status = 0;
    if (!tools::characterize_ranks(ranks, all, text, status)) return status;
  }
  if (wish.wants("crowd")) {
    int status = 0;
    const std::optional<json> found =
        tools::steadier(wish.quick, status, [&] { return crowd_results(wish, status); });
    if (!found) return status;
    all["crowd"] = *found;
    text += (text.empty() ? "" : "\n") + crowd_text(*found);
  }
  int status = 0;
  if (wish.wants("choices") && !characterize_choices(wish, all, text, status)) return status;
  const int printed = tools::print(wish.as_json ? all.dump(2) + "\n" : text);
  return printed != 0 ? printed : status;
}
