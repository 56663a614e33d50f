// SPDX-License-Identifier: Apache-2.0
#include "characterize_ranks.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cpus.hpp"
#include "characterize_probe_job.hpp"
#include "harness/report.hpp"
#include "launch/cores.hpp"
#include "ramjet/ramjet.hpp"
#include "tools/characterize/drift.hpp"
#include "tools/characterize/remote/probes.hpp"
#include "tools/characterize/remote/silent_rank.hpp"
#include "tools/characterize/report/placed.hpp"
#include "tools/characterize/report/sentences.hpp"
#include "tools/characterize/topology/pairs.hpp"
#include "tools/command/affinity.hpp"

namespace tools {

namespace {

using characterize::placed_costs;
using characterize::processor_pair;
using console::json;

constexpr const char* kName = "ramjet characterize";
constexpr const char* kQuick = "quick";
constexpr const char* kApart = "apart";
constexpr const char* kMessages = "messages";
constexpr unsigned kTurns = 3;  // with and without a network

bool has_word(int argc, char** argv, const char* word) {
  const std::vector<std::string_view> words(argv, argv + argc);
  return std::find(words.begin(), words.end(), word) != words.end();
}

// --- Where two ranks can be ---------------------------------------------------------------------

// None where ranks do not get a processor each.
std::vector<processor_pair> usable_pairs() {
  std::vector<processor_pair> pairs;
  hwloc_topology_t topology = nullptr;
  if (ramjet::base::usable_cpus() < 2 || hwloc_topology_init(&topology) != 0) return pairs;
  if (hwloc_topology_load(topology) == 0) {
    const std::vector<int> free = ramjet::launcher::unclaimed_cores();
    pairs = characterize::pairs_by_sharing(topology,
                                           free.size() > 1 ? free : ramjet::base::allowed_cpus());
  }
  hwloc_topology_destroy(topology);
  return pairs;
}

// Where two ranks would be put: the nearest cores.
std::optional<processor_pair> usual_pair(const std::vector<processor_pair>& pairs) {
  for (const processor_pair& p : pairs)
    if (p.shared != characterize::sharing::core) return p;
  return pairs.empty() ? std::nullopt : std::optional(pairs.front());
}

std::vector<int> processors_of(const std::optional<processor_pair>& pair) {
  return pair ? std::vector<int>{pair->first, pair->second} : std::vector<int>{};
}

placed_costs placed(std::string where, std::vector<int> processors, const json& found) {
  return {std::move(where),
          std::move(processors),
          {characterize::message_costs_of(found), found.at("drift").as_double()}};
}

// --- Jobs ---------------------------------------------------------------------------------------

struct pair_job {
  std::vector<int> processors;  // empty: as the launcher likes
  unsigned nodes = 1;
  bool messages_only = false;
};

std::optional<json> results_of_pair(const rank_request& wish, const pair_job& which, int& status) {
  probe_job job{.words = {kPairWorker}, .nodes = which.nodes};
  if (which.nodes > 1 && !wish.hosts.empty()) {
    job.hosts = wish.hosts;
    job.words.emplace_back(kApart);
  }
  if (wish.quick) job.words.emplace_back(kQuick);
  if (which.messages_only) job.words.emplace_back(kMessages);
  const affinity_limit here(which.processors);
  return results_of(job, kName, status);
}

std::optional<json> steadier_pair(const rank_request& wish, const pair_job& which, int& status) {
  return steadier(wish.quick, status, [&] { return results_of_pair(wish, which, status); });
}

// A row for each kind of pair, of which the part near has measured the usual one.
bool place_near(const rank_request& wish, const std::vector<processor_pair>& pairs,
                const json& near, std::vector<placed_costs>& rows, int& status) {
  if (pairs.empty()) rows.push_back(placed("this machine", {}, near));
  for (const processor_pair& p : pairs) {
    const char* const where = characterize::where_text(p.shared);
    std::optional<json> found = near;
    if (p.shared != usual_pair(pairs)->shared) {
      bench::show_progress(fmt::format("two ranks: {}", where));
      const pair_job which{.processors = processors_of(p), .messages_only = true};
      found = steadier_pair(wish, which, status);
    }
    if (!found) return false;
    rows.push_back(placed(where, processors_of(p), *found));
  }
  return true;
}

// Of each figure the least: what others on the machine do only ever adds.
characterize::beside_silent_rank least_of(
    const std::vector<characterize::beside_silent_rank>& turns) {
  characterize::beside_silent_rank least = turns.front();
  for (const characterize::beside_silent_rank& each : turns) {
    least.round_trip_ns = std::min(least.round_trip_ns, each.round_trip_ns);
    least.gap_ns = std::min(least.gap_ns, each.gap_ns);
    least.poll_ns = std::min(least.poll_ns, each.poll_ns);
  }
  return least;
}

// In turns: what else changes on the machine affects both alike. None where a job fails, as those
// of two nodes do without a network, or was interrupted, as `status` tells: it has said so.
std::optional<characterize::idle_network> measure_idle_network(const rank_request& wish,
                                                               const processor_pair& pair,
                                                               int& status) {
  const affinity_limit here(processors_of(pair));
  std::vector<characterize::beside_silent_rank> found[2];  // by another node or not
  for (unsigned i = 0; i < 2 * kTurns; ++i) {
    bench::show_progress("two ranks while a network is idle");
    probe_job job{.words = {kSilentWorker}, .ranks = 3, .nodes = 1 + i % 2};
    if (wish.quick) job.words.emplace_back(kQuick);
    const std::optional<json> printed = results_of(job, kName, status);
    if (!printed) return std::nullopt;
    found[i % 2].push_back(characterize::beside_silent_rank_of(*printed));
  }
  characterize::drift_watch pace;
  for (const characterize::beside_silent_rank& each : found[0]) pace.note(each.round_trip_ns);
  return characterize::idle_network{
      .without = least_of(found[0]), .with = least_of(found[1]), .drift = pace.ratio()};
}

}  // namespace

bool characterize_ranks(const rank_request& wish, json& all, std::string& text, int& status) {
  const auto say = [&text](const std::string& more) { text += (text.empty() ? "" : "\n") + more; };
  std::vector<placed_costs> rows;
  std::optional<characterize::idle_network> idle;
  if (wish.near) {
    bench::show_progress("two ranks of this machine");
    const std::vector<processor_pair> pairs = usable_pairs();
    const std::optional<processor_pair> pair = usual_pair(pairs);
    const pair_job which{.processors = processors_of(pair)};
    const auto found = steadier_pair(wish, which, status);
    if (!found) return false;
    all["near"] = *found;
    say(text_of(characterize::remote_results_of(*found), "two ranks of this machine"));
    if (!place_near(wish, pairs, *found, rows, status)) return false;
    if (pair) idle = measure_idle_network(wish, *pair, status);
    if (pair && !idle && is_interruption(status)) return false;
  }
  if (wish.far) {
    bench::show_progress("two ranks between machines");
    const pair_job which{.processors = {}, .nodes = 2};
    const auto found = steadier_pair(wish, which, status);
    if (!found) return false;
    all["far"] = *found;
    say(text_of(characterize::remote_results_of(*found),
                wish.hosts.empty() ? "two ranks that share no memory, by the loopback network"
                                   : "ranks of the hosts " + wish.hosts));
    rows.push_back(placed("other node", {}, *found));
  }
  all["pairs"] = characterize::as_json(rows);
  say(text_of(rows));
  if (!idle) return true;
  all["idle_network"] = characterize::as_json(*idle);
  say(text_of(*idle));
  return true;
}

int pair_worker(int argc, char** argv) {
  characterize::remote_plan plan;
  if (has_word(argc, argv, kQuick)) plan.each = kQuickPatience;
  ramjet::init(argc, argv);
  if (ramjet::nodes() == 1 && has_word(argc, argv, kApart)) {
    if (ramjet::rank() == 0) fmt::print(stderr, "{}: the two hosts are one machine\n", kName);
    ramjet::finalize();
    return 1;
  }
  const json printed = has_word(argc, argv, kMessages) ? as_json(characterize::probe_messages(plan))
                                                       : as_json(characterize::probe_remote(plan));
  if (ramjet::rank() == 0) fmt::print("{}\n", printed.dump());
  std::fflush(stdout);
  ramjet::finalize();
  return 0;
}

int silent_worker(int argc, char** argv) {
  // Three ranks on two processors are not bound; those that do not sleep have one each.
  const std::vector<int> cpus = ramjet::base::allowed_cpus();
  const characterize::patience each =
      has_word(argc, argv, kQuick) ? kQuickPatience : characterize::patience{};
  ramjet::init(argc, argv);
  const auto rank = std::size_t(ramjet::rank());
  const affinity_limit here(rank < 2 ? std::vector<int>{cpus[rank % cpus.size()]} : cpus);
  const json printed = as_json(characterize::probe_beside_silent_rank(each));
  if (rank == 0) fmt::print("{}\n", printed.dump());
  std::fflush(stdout);
  ramjet::finalize();
  return 0;
}

}  // namespace tools
