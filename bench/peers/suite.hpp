// SPDX-License-Identifier: Apache-2.0
// What is measured, said once for the raw limit and for every peer: names, units, sizes and counts.
// A system is any class with the measuring functions of `raw` (see raw.hpp), and drain() if it is
// measured beside it; each row's kernel calls the same function of whichever system it is given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "measure.hpp"
#include "network.hpp"
#include "payload.hpp"
#include "raw.hpp"

namespace peers {

// Which groups of rows to run, from an argument such as "pair,barrier".
struct row_sets {
  bool pair = false;
  bool barrier = false;
  bool all_cores = false;
  bool network = false;
  bool programs = false;  // measured without a limit, by the peers that know how

  static row_sets from(std::string_view names) {
    const auto named = [&](std::string_view name) { return names.find(name) != names.npos; };
    return {.pair = named("pair"),
            .barrier = named("barrier"),
            .all_cores = named("all_cores"),
            .network = named("network"),
            .programs = named("programs")};
  }
};

// measure(name, unit, payload_bytes, kernel), where kernel(system) measures once.
template <class Measure>
void pair_rows(const plan& run, Measure measure) {
  measure("am_round_trip", "ns", 8,
          [&](auto& system) { return system.round_trip_ns(run.count(1000)); });
  measure("am_rate", "M/s", 8, [&](auto& system) { return system.one_way_rate(run.count(5000)); });
  measure("am_window_64", "M/s", 8,
          [&](auto& system) { return system.window_rate(run.count(3000)); });
  measure("am_medium_1k", "ns", kEchoBytes,
          [&](auto& system) { return system.echo_ns(run.count(500)); });
  measure("am_medium_64k", "GB/s", kBlockBytes,
          [&](auto& system) { return system.block_bandwidth(run.count(100), content::same); });
  measure("am_medium_64k_fresh", "GB/s", kBlockBytes,
          [&](auto& system) { return system.block_bandwidth(run.count(100), content::fresh); });
}

// barrier_2, and barrier_4x2: four ranks on two cores.
template <class Measure>
void barrier_row(const plan& run, int ranks, Measure measure) {
  const bool core_each = ranks == 2;
  const std::string name = "barrier_" + std::to_string(ranks) + (core_each ? "" : "x2");
  measure(name, "ns", 0,
          [&](auto& system) { return system.barrier_ns(run.count(core_each ? 2000 : 50)); });
}

template <class Measure>
void all_core_rows(const plan& run, int ranks, Measure measure) {
  const int count = run.count(5000) / (ranks - 1);
  measure("am_all_to_all", "M/s", 8,
          [&](auto& system) { return ranks * system.all_to_all_rate(count); });
  measure("am_incast", "M/s", 8, [&](auto& system) { return system.one_way_rate(count); });
}

// Between two ranks that share no memory. The names, sizes and counts are those of bench/micro/.
template <class Measure>
void network_rows(const plan& run, Measure measure) {
  measure("net_round_trip", "ns", 8,
          [&](auto& system) { return system.round_trip_ns(run.count(2000)); });
  measure("net_rate", "M/s", 8,
          [&](auto& system) { return system.one_way_rate(run.count(40'000)); });
  measure("net_bandwidth_64k", "GB/s", kBlockBytes, [&](auto& system) {
    return system.block_bandwidth(run.count(2000), content::same, kBlockBytes);
  });
  measure("net_bandwidth_1m", "GB/s", 16 * kBlockBytes, [&](auto& system) {
    return system.block_bandwidth(run.count(200), content::same, 16 * kBlockBytes);
  });
}

// The limit is taken before, between and after the values, by the same processes: on a virtual
// machine the cost of moving a cache line drifts by itself, and only a ratio within a run holds.
template <class Limit, class Value>
sample interleaved(const plan& run, raw& bare, Limit limit, Value value) {
  std::vector<double> values;
  std::vector<double> limits;
  value();
  limits.push_back(limit());
  const double end_ns = now_ns() + run.row_ns_max;
  for (int i = 0; i < run.repeats; ++i) {
    if (i >= run.repeats_min && bare.decide(now_ns() > end_ns)) break;
    values.push_back(value());
    limits.push_back(limit());
  }
  return {.value = median(values), .limit = median(limits)};
}

// The rows of the chosen sets, each measured between samples of the raw limit by the same ranks.
template <class System>
std::vector<record> measured_rows(const row_sets& sets, const plan& run, raw& bare,
                                  System& system) {
  std::vector<record> records;
  const auto beside = [&](auto& by_hand) {
    return [&](const std::string& name, const char* unit, size_t bytes, auto kernel) {
      // Libraries progress only when called, and the raw kernels do not call them: all ranks drain
      // theirs first, or one would wait for a message that another still holds.
      const auto drained = [&] {
        const double value = kernel(system);
        system.drain();
        return value;
      };
      const sample taken = interleaved(run, bare, [&] { return kernel(by_hand); }, drained);
      records.push_back({name, unit, taken, bare.ranks(), bytes});
    };
  };
  const auto measure = beside(bare);
  if (sets.pair) pair_rows(run, measure);
  // UCX has no barrier of its own.
  if constexpr (requires { system.barrier_ns(1); }) {
    if (sets.barrier) barrier_row(run, bare.ranks(), measure);
  }
  if (sets.all_cores) all_core_rows(run, bare.ranks(), measure);
  if (sets.network) {
    raw_network by_hand(bare);
    network_rows(run, beside(by_hand));
  }
  return records;
}

}  // namespace peers
