// SPDX-License-Identifier: Apache-2.0
// Prints the raw limits of this machine as JSON records under the names of the benchmarks that they
// bound. Arguments: --set pair,barrier,all_cores,network (which to run; all by default), --tiny
// (only shows that everything holds).
#include <cstdio>
#include <string>
#include <vector>

#include "forked.hpp"
#include "measure.hpp"
#include "raw.hpp"
#include "suite.hpp"

namespace {

using namespace peers;

template <class Kernel>
double repeated(const plan& run, raw& bare, Kernel kernel) {
  return interleaved(run, bare, [] { return 0.0; }, kernel).value;
}

// One core copying a 64 KiB block to memory that nobody reads: what no delivery can exceed.
double memcpy_bandwidth(int count) {
  std::vector<uint64_t> from(kBlockWords, 1);
  std::vector<uint64_t> to(kBlockWords, 0);
  const double start_ns = now_ns();
  for (int i = 0; i < count; ++i) {
    std::memcpy(to.data(), from.data(), kBlockBytes);
    asm volatile("" : : "r"(to.data()) : "memory");  // each copy counts as read
  }
  return static_cast<double>(count) * kBlockBytes / (now_ns() - start_ns);
}

std::vector<record> limits(const row_sets& sets, const plan& run, raw& bare) {
  std::vector<record> records;
  const auto add = [&](const std::string& name, const char* unit, size_t bytes, double value) {
    records.push_back({name, unit, {.value = value, .limit = 0}, bare.ranks(), bytes});
  };
  const auto measure_of = [&](auto& by_hand) {
    return [&](const std::string& name, const char* unit, size_t bytes, auto kernel) {
      add(name, unit, bytes, repeated(run, bare, [&] { return kernel(by_hand); }));
    };
  };
  const auto measure = measure_of(bare);
  if (sets.pair) {
    pair_rows(run, measure);
    const int count = run.count(200);
    add("memcpy_64k", "GB/s", kBlockBytes,
        repeated(run, bare, [&] { return memcpy_bandwidth(count); }));
  }
  if (sets.barrier) barrier_row(run, bare.ranks(), measure);
  if (sets.all_cores) all_core_rows(run, bare.ranks(), measure);
  if (sets.network) {
    raw_network by_hand(bare);
    network_rows(run, measure_of(by_hand));
  }
  return records;
}

std::string run_group(int ranks, const std::vector<int>& cpus, const plan& run,
                      const row_sets& sets) {
  const std::string extra = json_member("system", "raw") + json_member("build", build_text());
  shared_memory memory(area_bytes(ranks));
  return run_forked(ranks, cpus, [&](int rank) {
    raw bare(memory.address(), rank, ranks, static_cast<int>(cpus.size()));
    return json_lines(limits(sets, run, bare), extra);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const plan run = plan::from_arguments(argc, argv);
  const row_sets sets =
      row_sets::from(argument(argc, argv, "--set", "pair,barrier,all_cores,network"));
  const std::vector<int> cpus = usable_cpus();
  const std::vector<int> two(cpus.begin(), cpus.begin() + 2);
  std::vector<std::string> groups;
  if (sets.pair) groups.push_back(run_group(2, two, run, {.pair = true}));
  if (sets.network) groups.push_back(run_group(2, two, run, {.network = true}));
  for (int ranks : {2, 4, 8}) {
    if (sets.barrier) groups.push_back(run_group(ranks, two, run, {.barrier = true}));
  }
  if (sets.all_cores) {
    groups.push_back(run_group(static_cast<int>(cpus.size()), cpus, run, {.all_cores = true}));
  }
  print_records(groups);
  return 0;
}
